#!/usr/bin/env bash
# A tour of what Commonsight does: the formats on small examples, then a drawn world from its first scene to a report. Run it with
# `make demo`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if [[ -x .venv/bin/commonsight ]]; then
    PATH="$PWD/.venv/bin:$PATH"
fi

fixtures=tests/fixtures
out=demo-out

# The benchmark, its native files, its native predictions, and the folder of its images if it comes with one.
examples=(
    "vcr    vcr/val.jsonl                  vcr/predictions.csv      vcr/images"
    "pmr    pmr/val-ori.jsonl,pmr/val-adv.jsonl  pmr/predictions.jsonl  vcr/images"
    "cric   cric/val_questions.json        cric/predictions.jsonl"
    "nlvr2  nlvr2/dev.json                 nlvr2/predictions.csv    nlvr2/images"
    "aokvqa aokvqa/aokvqa_v1p0_val.json    aokvqa/predictions.json"
)

run() {
    printf '\n$ %s\n' "$*"
    "$@"
}

rm -rf "$out"

run commonsight benchmarks

for example in "${examples[@]}"; do
    read -r benchmark native predictions images <<<"$example"
    with_images=()
    if [[ -n "$images" ]]; then
        with_images=(--images "$fixtures/$images")
    fi
    files=()
    for file in ${native//,/ }; do
        files+=("$fixtures/$file")
    done
    run commonsight validate "$benchmark" "${files[@]}" "${with_images[@]}"
    run commonsight convert "$benchmark" "${files[@]}" "${with_images[@]}" --out "$out/$benchmark" \
        --datasheet "$fixtures/datasheet.toml"
    run commonsight score "$benchmark" --gold "$out/$benchmark" --predictions "$fixtures/$predictions"
done

run commonsight show "$out/vcr" --index 0

run commonsight compare "$fixtures/nlvr2/predictions.csv" "$fixtures/nlvr2/predictions_b.csv" \
    --gold "$fixtures/nlvr2/dev.json"

# The embedded world: drawn scenes, with what simulated annotators write about them.
run commonsight world make --out "$out/world" --scenes 60 --seed 1
run commonsight world show "$out/world/vcr" --out "$out/contact-sheet.png" --count 24
for kind in vcr pmr nlvr2 aokvqa; do
    run commonsight show "$out/world/$kind" --index 1
done

# Build: wrong choices by Adversarial Matching, and compositional questions from the world's graphs.
run commonsight build match "$out/world/raw/vcr.jsonl" --images "$out/world/raw/images" --folds 3 --out "$out/matched"
run commonsight show "$out/matched" --index 1
run commonsight build questions --scenes "$out/world" --knowledge "$out/world/raw/knowledge/triples.tsv" \
    --images "$out/world/raw/images" --sample-for-review 20 --out "$out/questions"
run commonsight show "$out/questions" --index 1

# Audit: what gives answers away in the drawn world, before Adversarial Matching and after.
run commonsight audit "$out/world/vcr" --out "$out/audit-before"
run commonsight audit "$out/matched" --out "$out/audit-after"

# Run: the plainest model there is, asked at every rotation of the choices, and what is left of its score by that.
(cd examples && run commonsight run "../$out/matched" --split val --model python:first_choice:answer --circular \
    --out "../$out/run-first-choice")

# Train: two baselines and R2C on a larger world, tried on questions that none of them has seen. What an encoder of
# objects learns from the world's scene graphs is kept, so that each network trains in a minute or two.
train=$out/training
run commonsight world make --out "$train/world" --scenes 1000 --seed 2
run commonsight build match "$train/world/raw/vcr.jsonl" --images "$train/world/raw/images" --lambda-answer 0.5 \
    --out "$train/vcr"
run commonsight train-regions "$train/world/raw/scene_graphs.json" --images "$train/world/raw/images" --epochs 6 \
    --out "$train/regions"
for network in lstm bottom-up r2c; do
    run commonsight train "$network" "$train/vcr" --regions "seen:$train/regions" --epochs 8 \
        --features "$train/features" --out "$train/$network"
    run commonsight predict "$train/$network" "$train/vcr" --split test --features "$train/features" \
        --out "$train/run-$network"
done
# Run: a scripted vision-language model on the same questions. It stands for any model behind an OpenAI-compatible
# address (--model openai:NAME --base-url URL) or in a folder (--model hf:FOLDER).
(cd examples && run commonsight run "../$train/vcr" --split test --model python:first_choice:answer \
    --out "../$train/run-first-choice")

printf '\nThe report will be the page %s/report.html, its table for a paper %s/table.tex.\n' "$out" "$out"
printf '\nThe audits are the pages %s/audit-before/index.html and %s/audit-after/index.html.\n' "$out" "$out"
printf 'The run is the page %s/run-first-choice/report.html.\n' "$out"
printf 'Twenty questions to judge are on the page %s/questions/review.html.\n' "$out"
printf 'The contact sheet of the drawn world is %s/contact-sheet.png.\n' "$out"
printf 'Datasets are in %s/; each <split>.parquet there loads with Hugging Face datasets.\n' "$out"
printf '\nLook through the questions, what the networks said and what they looked at:\n\n'
printf '    .venv/bin/commonsight explore %s/training/vcr' "$out"
printf ' --run %s/training/run-%s' "$out" r2c "$out" bottom-up "$out" lstm "$out" first-choice
printf '\n'

# Report, last of all: every run in one page that opens offline, and in a table as VCR's paper has it, marked "drawn world".
run commonsight report "$train"/run-{first-choice,lstm,bottom-up,r2c} --gold "$train/vcr" --metric q2ar \
    --out "$out/report.html" --latex "$out/table.tex"
