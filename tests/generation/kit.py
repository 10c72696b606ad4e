"""Texts of a small catalogue and a small bank, for tests and the end-to-end installation."""

from __future__ import annotations

from pathlib import Path

from scoring.generation.catalogue import DATA

KEY = "sk-test-3fa1c0ffee"
CODE = "```bsl\nФункция Сложить(А, Б) Экспорт\n\tВозврат А + Б;\nКонецФункции\n```"

CHANNELS = """\
channels:
  local: {{kind: openai, base_url: "{url}", key_env: TEST_PROVIDER_KEY, proxy_env: TEST_PROVIDER_PROXY, concurrency: {width}}}
  keyless: {{kind: openai, base_url: "{url}", concurrency: 2}}
  replay: {{kind: replay, concurrency: 4}}
"""
NETWORKS = """\
networks:
  - {name: Alpha, id: alpha-1, vendor: Альфа, channel: local, open_weights: true, released_on: 2026-01-01, tools: true}
  - {name: Beta, id: beta-1, vendor: Beta, channel: keyless, tools: false, parameters: {max_tokens: null, top_k: 5}}
"""
PRICES = """\
currency: USD
assumed: {A: {input: 1000, output: 2000}, B: {input: 5000, output: 3000}}
prices:
  Alpha:
    - {since: 2026-01-01, input: 10, output: 100}
    - {since: 2025-01-01, input: 1, output: 1}
"""
EDITIONS = """\
editions:
  core: {name: {ru: Основная, en: Core}, schema_tools: true, parameters: {temperature: 0.1, max_tokens: 100}}
  blind: {name: {ru: Вслепую, en: Blind}, schema_tools: false}
  rehearsal: {name: {ru: Репетиция, en: Rehearsal}, schema_tools: true}
tools: {rounds: 4, objects: 5, characters: 4000, same_call: 3, distractors: 4}
retries: {attempts: 3, first_delay: 0.01, longest_delay: 0.02, timeout: 120}
"""


def write_catalogue(folder: Path, url: str = "http://127.0.0.1:9/v1", width: int = 4, **files: str) -> Path:
    """The test's catalogue; keywords replace whole files (`networks_yaml="…"`)."""
    (folder / "prompts").mkdir(parents=True, exist_ok=True)
    texts = {
        "channels.yaml": CHANNELS.format(url=url, width=width), "networks.yaml": NETWORKS, "prices.yaml": PRICES,
        "editions.yaml": EDITIONS, "distractors.yaml": (DATA / "distractors.yaml").read_text("utf-8"),
        "prompts/A.md": "Пиши код.\n", "prompts/B.md": "Пиши код модуля.\n",
    }  # fmt: skip
    texts |= {name.replace("__", "/").replace("_yaml", ".yaml").replace("_md", ".md"): text for name, text in files.items()}
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    return folder


SPEC = """\
catalogs:
  Товары: {attributes: {Вес: {type: Число, length: 10, precision: 3}}}
accumulation_registers:
  Остатки: {register_type: Balance, dimensions: {Товар: {type: СправочникСсылка.Товары}}, resources: {Количество: {type: Число, length: 15, precision: 3}}}
enums:
  Виды: [Первый, Второй]
"""
HIDDEN = {
    "tests.yaml": "tests:\n  - {args: [СКРЫТЫЙ_ТЕСТ_7711], expected: СКРЫТЫЙ_ОТВЕТ_7712}\n",
    "canonical.bsl": "// СКРЫТЫЙ_ЭТАЛОН_7713\n",
    "perf_baseline.bsl": "// СКРЫТОЕ_МЕДЛЕННОЕ_7714\n",
    "fixtures.yaml": "catalogs:\n  Товары: [{ref: т1, Наименование: СКРЫТЫЙ_ТОВАР_7715}]\n",
    "submissions/wrong_answer/w.bsl": "// СКРЫТЫЙ_КОНТРОЛЬ_7716\n",
}
