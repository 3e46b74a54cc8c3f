"""`python -m commonsight` is the `commonsight` command."""

from commonsight.cli.main import main

if __name__ == "__main__":
    main()
