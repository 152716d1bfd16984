"""What training begins at, and what it computes in."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from hoptrail_training import train
from hoptrail_training.model import JointEncoder, ModelSize
from hoptrail_training.paths import model_folder


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOPTRAIL_TRAINING_CACHE", str(tmp_path))


def test_begins_at_an_exported_file_without_the_encoders_weights() -> None:
    model = train.first_model(model_folder() / "onnx" / "model_quantized.onnx", ModelSize())
    assert isinstance(model, JointEncoder)
    fresh = JointEncoder(ModelSize())
    assert not torch.equal(model.passage_head.weight, fresh.passage_head.weight)


def test_names_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="hoptrail_training.weights"):
        train.first_model(None, ModelSize())
    with pytest.raises(SystemExit, match="exported file"):
        train.first_model(tmp_path / "none.onnx", ModelSize())


@pytest.mark.parametrize(("able", "expected"), [(True, torch.bfloat16), (False, torch.float32)])
def test_computes_in_what_the_processor_multiplies(able: bool, expected: torch.dtype, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train, "multiplies_bfloat16", lambda: able)
    assert train.trunk_type("auto") == expected
    assert train.trunk_type("float32") == torch.float32
    assert train.trunk_type("bfloat16") == torch.bfloat16
