"""People come in by password or invitation, and nothing tells a guesser anything."""

from __future__ import annotations

import logging

import pytest
from fastapi import FastAPI
from people import PASSWORD, HandClock, campaign, person, worker
from visitors import Visitor

from commonsight.collect import accounts, invitations
from commonsight.collect.campaigns import membership
from commonsight.collect.desk import Desk

WRONG = "This name and this password do not go together. Try again."


def _signed_in(visitor: Visitor, desk: Desk) -> str | None:
    found = accounts.who(desk, visitor.secret or "")
    return found[0].name if found else None


def test_signing_in_and_out(app: FastAPI, desk: Desk) -> None:
    person(desk, "ann")
    visitor = Visitor(app)
    visitor.look("/sign-in")
    answer = visitor.fill("/sign-in", name="ann", password=PASSWORD, next="/account")
    assert (answer.status_code, answer.headers["location"]) == (303, "/account")
    assert _signed_in(visitor, desk) == "ann"
    page = visitor.look("/account")
    assert "<h1>ann</h1>" in page
    secret = visitor.secret
    answer = visitor.fill("/sign-out")
    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in")
    assert visitor.secret is None
    assert accounts.who(desk, secret or "") is None


def test_wrong_names_and_wrong_passwords_get_the_same_answer(app: FastAPI, desk: Desk) -> None:
    person(desk, "ann")
    texts = []
    for name, password in (("ann", "wrong password"), ("bob", "wrong password"), ("\x7f<b>", "w")):
        visitor = Visitor(app)
        visitor.look("/sign-in")
        answer = visitor.fill("/sign-in", name=name, password=password)
        assert answer.status_code == 401
        assert WRONG in answer.text
        assert visitor.secret is None
        texts.append(answer.text.replace(visitor.csrf, "T").replace(f'value="{name}"', ""))
    assert texts[0] == texts[1]


def test_guessing_is_stopped_by_name_and_by_address(app: FastAPI, desk: Desk, clock: HandClock) -> None:
    person(desk, "ann")
    guesser = Visitor(app)
    guesser.look("/sign-in")

    def guess(name: str, password: str = "wrong password") -> int:
        code: int = guesser.fill("/sign-in", name=name, password=password).status_code
        return code

    assert [guess("ann") for _ in range(10)] == [401] * 10
    assert guess("ann", PASSWORD) == 429, "by name, even with the right password"
    assert guess(" ANN ") == 429, "whatever its spelling"
    assert [guess(f"nobody{number}") for number in range(18)] == [401] * 18
    assert guess("someone") == 429, "by address"
    clock.pass_seconds(15 * 60)
    assert guess("ann", PASSWORD) == 303


def test_signing_in_rightly_never_uses_anything_up(app: FastAPI, desk: Desk) -> None:
    person(desk, "ann")
    for _ in range(40):
        visitor = Visitor(app)
        visitor.look("/sign-in")
        assert visitor.fill("/sign-in", name="ann", password=PASSWORD).status_code == 303


def test_a_sign_in_makes_a_new_secret_and_ends_the_old(app: FastAPI, desk: Desk) -> None:
    """A secret that someone else planted before is worth nothing afterwards."""
    person(desk, "ann")
    visitor = Visitor(app)
    visitor.cookies.set("commonsight", "planted", domain="127.0.0.1", path="/")
    visitor.look("/sign-in")
    visitor.fill("/sign-in", name="ann", password=PASSWORD)
    first = visitor.secret
    assert first not in (None, "planted")
    visitor.look("/account")
    visitor.fill("/sign-in", name="ann", password=PASSWORD)
    assert visitor.secret not in (None, first)
    assert accounts.who(desk, first or "") is None


def test_cookies_are_safe(app: FastAPI, desk: Desk) -> None:
    person(desk, "ann")
    visitor = Visitor(app)
    door = visitor.get("/sign-in").headers["set-cookie"]
    assert "HttpOnly" in door
    assert "SameSite=lax" in door
    visitor.look("/sign-in")
    answer = visitor.fill("/sign-in", name="ann", password=PASSWORD)
    cookie = answer.headers.get_list("set-cookie")[0]
    assert cookie.startswith("commonsight=")
    for flag in ("HttpOnly", "SameSite=lax", "Path=/", f"Max-Age={14 * 24 * 3600}"):
        assert flag in cookie
    assert "Secure" not in cookie
    assert "Domain" not in cookie
    over_tls = Visitor(app, base_url="https://127.0.0.1")
    assert "Secure" in over_tls.get("/sign-in").headers["set-cookie"]


def test_a_proxy_that_does_tls_gets_secure_cookies(desk: Desk) -> None:
    from commonsight.web.collect.app import build_app

    site = build_app(desk, secure_cookies=True, hosts=("127.0.0.1", "collect.example"))
    assert "Secure" in Visitor(site).get("/sign-in").headers["set-cookie"]
    public = Visitor(site, base_url="https://collect.example")
    assert public.get("/sign-in").headers["strict-transport-security"] == "max-age=31536000"
    # Other sites of this machine are served under the same names, without TLS.
    assert "strict-transport-security" not in Visitor(site, base_url="https://127.0.0.1:8443").get("/").headers


@pytest.mark.parametrize(
    "path",
    ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)", "/\t/evil.example",
     "\\\\evil.example", "/a\nset-cookie: x=1", "evil", ""],
)  # fmt: skip
def test_signing_in_leads_nowhere_else(app: FastAPI, desk: Desk, path: str) -> None:
    person(desk, "ann")
    visitor = Visitor(app)
    visitor.look("/sign-in")
    answer = visitor.fill("/sign-in", name="ann", password=PASSWORD, next=path)
    assert answer.headers["location"] == "/"
    assert visitor.get("/sign-in", params={"next": path}).headers["location"] == "/"


def test_who_is_not_signed_in_is_brought_back_afterwards(app: FastAPI) -> None:
    visitor = Visitor(app)
    answer = visitor.get("/account?tab=1")
    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in?next=/account%3Ftab%3D1")
    assert 'name="next" value="/account?tab=1"' in visitor.look(answer.headers["location"])


def test_htmx_goes_to_sign_in_as_a_whole_page(app: FastAPI) -> None:
    answer = Visitor(app).get("/account", headers={"hx-request": "true"})
    assert answer.status_code == 401
    assert answer.headers["hx-redirect"] == "/sign-in?next=/account"


def test_joining_as_someone_new(app: FastAPI, desk: Desk) -> None:
    number = campaign(desk, "Cats & <dogs>")
    path = f"/join/{invitations.invite(desk, number, 'worker')}"
    visitor = Visitor(app)
    page = visitor.look(path)
    assert "Cats &amp; &lt;dogs&gt;" in page
    assert visitor.fill(path, how="new", name="ann", password="short").status_code == 422
    answer = visitor.fill(path, how="new", name="ann", password=PASSWORD)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    found = accounts.who(desk, visitor.secret or "")
    assert found is not None
    (mine,) = membership(desk, found[0].user_id)
    assert (mine.name, mine.role) == ("Cats & <dogs>", "worker")
    again = Visitor(app).get(path)
    assert again.status_code == 409
    assert "has been used" in again.text


def test_joining_with_an_account_that_is_there(app: FastAPI, desk: Desk) -> None:
    number = campaign(desk)
    ann = person(desk, "ann")
    path = f"/join/{invitations.invite(desk, number, 'reviewer')}"
    visitor = Visitor(app)
    visitor.look(path)
    wrong = visitor.fill(path, how="known", name="ann", password="wrong password")
    assert wrong.status_code == 422
    assert WRONG in wrong.text
    taken = visitor.fill(path, how="new", name="ann", password=PASSWORD)
    assert taken.status_code == 422
    assert "called &#39;ann&#39; already" in taken.text
    answer = visitor.fill(path, how="known", name="ann", password=PASSWORD)
    assert answer.headers["location"] == f"/campaigns/{number}/"
    assert [mine.role for mine in membership(desk, ann)] == ["reviewer"]


def test_joining_as_who_one_is(app: FastAPI, desk: Desk) -> None:
    number = campaign(desk)
    visitor = Visitor(app, "ann")
    path = f"/join/{invitations.invite(desk, number, 'owner')}"
    assert "Join as ann" in visitor.look(path)
    assert visitor.fill(path, how="me").headers["location"] == f"/campaigns/{number}/"
    stranger = Visitor(app)
    other = f"/join/{invitations.invite(desk, number, 'owner')}"
    stranger.look(other)
    assert stranger.fill(other, how="me").headers["location"] == "/sign-in"


def test_guessing_passwords_by_an_invitation_is_stopped_too(app: FastAPI, desk: Desk) -> None:
    path = f"/join/{invitations.invite(desk, campaign(desk), 'worker')}"
    person(desk, "ann")
    visitor = Visitor(app)
    visitor.look(path)
    codes = [visitor.fill(path, how="known", name="ann", password="guess").status_code for _ in range(11)]
    assert codes == [422] * 10 + [429]


@pytest.mark.parametrize("token", ["nonsense", "a.b.c", "%00", "..%2f..%2fetc", "é", "x" * 3000])
def test_false_invitations_are_told(app: FastAPI, token: str) -> None:
    answer = Visitor(app).get(f"/join/{token}")
    assert answer.status_code in (404, 409, 422)
    assert "Traceback" not in answer.text


def test_changing_the_password_ends_other_browsers(app: FastAPI, desk: Desk) -> None:
    one, other = Visitor(app, "ann"), Visitor(app, "ann")
    new = "another pass phrase"
    assert "not the same" in one.fill("/account/password", old=PASSWORD, new=new, again="x").text
    assert "not this one" in one.fill("/account/password", old="wrong", new=new, again=new).text
    assert "10 to 200" in one.fill("/account/password", old=PASSWORD, new="short", again="short").text
    answer = one.fill("/account/password", old=PASSWORD, new=new, again=new)
    assert "The password is changed" in answer.text
    assert one.get("/account").status_code == 200
    assert other.get("/account").status_code == 303
    accounts.sign_in(desk, "ann", new)


def test_signing_out_everywhere(app: FastAPI) -> None:
    one, other = Visitor(app, "ann"), Visitor(app, "ann")
    assert one.fill("/account/end-all").headers["location"] == "/sign-in"
    assert other.get("/account").status_code == 303


def test_the_start_lists_my_campaigns(app: FastAPI, desk: Desk) -> None:
    worker(desk, campaign(desk, "mine"), "ann")
    campaign(desk, "not mine")
    page = Visitor(app, "ann").look("/account")
    assert "mine" in page
    assert "not mine" not in page


def test_no_secret_is_logged_or_printed(
    app: FastAPI, desk: Desk, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    token = invitations.invite(desk, campaign(desk), "worker")
    visitor = Visitor(app)
    visitor.look(f"/join/{token}")
    visitor.fill(f"/join/{token}", how="new", name="ann", password="a secret pass phrase")
    secret, csrf = visitor.secret or "", visitor.csrf
    visitor.look("/account")
    new = {"new": "yet another one", "again": "yet another one"}
    visitor.fill("/account/password", old="a secret pass phrase", **new)
    visitor.look("/account")
    visitor.fill("/sign-out")
    visitor.look("/sign-in")
    visitor.fill("/sign-in", name="ann", password="not the secret one")
    told = caplog.text + "".join(capfd.readouterr())
    # The client of the test itself logs the addresses that it asks for; the server does not.
    told = "\n".join(line for line in told.splitlines() if "HTTP Request" not in line)
    for word in ("a secret pass phrase", "yet another one", "not the secret one", secret, csrf, token):
        assert word not in told
