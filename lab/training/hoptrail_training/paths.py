"""Where things lie. Every folder can be named by an environment variable; nothing here is specific to a machine."""

from __future__ import annotations

import os
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]


def _folder(variable: str, default: Path) -> Path:
    value = os.environ.get(variable)
    return Path(value).expanduser() if value else default


def data_folder() -> Path:
    """The shared question sets: `HOPTRAIL_DATA`, else `../shared/data` beside the repository or one folder further up."""
    beside = REPOSITORY.parent / "shared" / "data"
    folder = _folder("HOPTRAIL_DATA", beside if beside.exists() else REPOSITORY.parent.parent / "shared" / "data")
    return there(folder, "name the folder of question sets in HOPTRAIL_DATA")


def there(path: Path, advice: str) -> Path:
    """The path, if it exists; else the program ends and says what to do."""
    if not path.exists():
        raise SystemExit(f"{path} is not there: {advice}")
    return path


def cache_folder() -> Path:
    """Weights, made examples, checkpoints, curve: `HOPTRAIL_TRAINING_CACHE`, else `~/.cache/hoptrail-training`."""
    return _folder("HOPTRAIL_TRAINING_CACHE", Path.home() / ".cache" / "hoptrail-training")


def tokenizer_file() -> Path:
    """The tokenizer that the embedder ships with."""
    return REPOSITORY / "models" / "Xenova" / "bge-small-en-v1.5" / "tokenizer.json"


def model_folder() -> Path:
    """Where the exported model goes."""
    return REPOSITORY / "models" / "joint-encoder"
