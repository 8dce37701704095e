"""Catalogues load: every record that can be used, and of each other one what is amiss with it."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from sekisho.catalogue import Catalogue, CatalogueProblem, Term
from sekisho.errors import InputError
from sekisho.sources.catalogue import load_catalogue

HEADER = "id\tname\tacronym\tsynonyms\tparent_id"


def catalogue(folder: Path, *rows: str, header: str = HEADER) -> tuple[Catalogue, list[CatalogueProblem]]:
    (folder / "terms.tsv").write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return load_catalogue(folder)


def told(problems: list[CatalogueProblem]) -> list[tuple[str, str]]:
    return [(problem.kind, problem.item) for problem in problems]


def test_a_table_gives_its_records_by_id(tmp_path: Path) -> None:
    found, problems = catalogue(tmp_path, "B\tpons\tP\t\tA", "", "A\tbrain\t\tencephalon | 脳 |\t")
    assert problems == []
    assert found.terms == (
        Term(id="A", name="brain", synonyms=("encephalon", "脳")),
        Term(id="B", name="pons", acronym="P", parent_id="A"),
    )


def test_the_order_of_rows_changes_neither_records_nor_digest(tmp_path: Path) -> None:
    rows = ["A\tbrain\t\t\t", "B\tpons\t\t\tA", "B\tpons\tP\tbridge\t", "C\tcortex\t\t\tX"]
    forward, problems = catalogue(tmp_path, *rows)
    backward, same = catalogue(tmp_path, *reversed(rows))
    assert forward == backward
    assert [p.model_copy(update={"item": ""}) for p in problems] == [p.model_copy(update={"item": ""}) for p in same]
    assert catalogue(tmp_path, *rows[:2])[0].sha256 != forward.sha256


def test_columns_may_have_other_names(tmp_path: Path) -> None:
    path = tmp_path / "atlas.csv"
    path.write_text('Structure,Label,Abbr\nS1,"cortex, visual",V\n', encoding="utf-8")
    found, _ = load_catalogue(path, columns={"id": "Structure", "name": "label", "acronym": "Abbr"})
    assert found.terms == (Term(id="S1", name="cortex, visual", acronym="V"),)
    with pytest.raises(InputError, match=r"no column 'Nummer' \(its columns: Structure, Label, Abbr\)"):
        load_catalogue(path, columns={"id": "Nummer"})
    with pytest.raises(InputError, match="no column of ours is called 'label'"):
        load_catalogue(path, columns={"label": "Label"})


def test_a_byte_order_mark_quotes_and_semicolons_of_a_spreadsheet_are_read(tmp_path: Path) -> None:
    path = tmp_path / "terms.csv"
    path.write_bytes('\ufeffid;name\r\n1;"the ""old"" cortex"\r\n'.encode())
    assert load_catalogue(path)[0].terms == (Term(id="1", name='the "old" cortex'),)
    found, _ = catalogue(tmp_path, '1\t"say ""ah"""\t\t\t', '2\t5" tract\t\t\t', '3\t"a" and "b"\t\t\t')
    assert [term.name for term in found.terms] == ['say "ah"', '5" tract', '"a" and "b"']


def test_what_is_amiss_with_a_record_is_told_and_the_rest_loads(tmp_path: Path) -> None:
    found, problems = catalogue(
        tmp_path,
        "A\tbrain\t\t\t",
        "A\tmind\t\t\t",
        "B\tpons\t\t\tA",
        "B\tpons\tP\tbridge\t",
        "C\tcortex\t\t\tNOWHERE",
        "D\t\t\t\t",
        "\tnameless\t\t\t",
        "E\tone\t\t\tF",
        "F\ttwo\t\t\tE",
        "G\tself\t\t\tG",
        "H\tlong\t\t\tA\tmore\tcells",
    )
    assert told(problems) == [
        ("doubled_id", "A"),
        ("doubled_id", "B"),
        ("dangling_parent", "C"),
        ("empty_name", "D"),
        ("cycle", "E"),
        ("cycle", "G"),
        ("row", "H"),
        ("empty_id", "line 8"),
    ]
    assert all(problem.path == "terms.tsv" for problem in problems)
    by_id = found.by_id
    assert sorted(by_id) == ["A", "B", "C", "E", "F", "G", "H"]
    assert by_id["B"] == Term(id="B", name="pons", acronym="P", synonyms=("bridge",), parent_id="A")
    assert (by_id["E"].parent_id, by_id["F"].parent_id) == ("", "E")
    assert problems[0].message.startswith("lines 2 and 3: is the id of 'brain' and of 'mind'")
    assert problems[1].message.startswith("lines 4 and 5: stands twice")
    assert problems[3].message.startswith("line 7: no name, left out")
    assert problems[7].message.startswith("no id, left out")
    assert "E -> F -> E" in problems[4].message


def test_a_misspelt_column_and_synonyms_parted_otherwise_are_told_and_the_records_stay(tmp_path: Path) -> None:
    header = "id\tname\tacronym\tsynonym\tcolour"
    found, problems = catalogue(tmp_path, "A\tbrain\t\tmind\tgrey", header=header)
    assert [(problem.path, problem.item, problem.message) for problem in problems] == [
        ("terms.tsv", "", "nobody reads the column 'synonym'; the nearest is 'synonyms'")
    ]
    assert found.terms == (Term(id="A", name="brain"),)
    (tmp_path / "aliases.tsv").write_text("text\tid\tnote\n", encoding="utf-8")
    (tmp_path / "abbreviations.tsv").write_text("text\texpansions\n", encoding="utf-8")
    found, problems = catalogue(tmp_path, "A\tchert\t\tflint; hornstone\t", "B\tice\t\tfirn;|snow\t")
    assert [(problem.path, problem.item, problem.message) for problem in problems] == [
        ("abbreviations.tsv", "", "nobody reads the column 'expansions'; the nearest is 'expansion'"),
        ("terms.tsv", "A", "line 2: synonyms are parted by |, this cell holds ';': read as one synonym"),
    ]
    assert found.by_id["A"].synonyms == ("flint; hornstone",)


def test_alternate_names_in_brackets_become_synonyms(tmp_path: Path) -> None:
    found, _ = catalogue(
        tmp_path,
        "A\tforebrain (prosencephalon)\t\t\t",
        "B\tcranial nerve II\t\toptic nerve [II]\t",
        "C\tfacial nerve\t\t\t",
        "D\troot (facial nerve)\t\t\t",
        "E\tnucleus (left)\t\t\t",
        "F\t海馬（アンモン角）\t\t\t",
    )
    synonyms = {term.id: term.synonyms for term in found.terms}
    assert synonyms["A"] == ("forebrain", "prosencephalon")
    assert synonyms["B"] == ("optic nerve [II]", "optic nerve")  # a numeral alone is no name
    assert synonyms["D"] == ("root",)  # the bracket names another record: it says which root
    assert synonyms["E"] == ()
    assert synonyms["F"] == ("海馬", "アンモン角")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"id\tlabel\nA\tx\n", "has no column 'name'"),
        (b"id\tname\tname\nA\tx\ty\n", "has 2 columns 'name'"),
        (b"", "has no column 'id'"),
        (b"id\tname\n", "holds no record"),
        (b"id\tname\nA\t\xff\xfe\n", "line 2: is not UTF-8"),
        (b"id\tname\nA\tx\0y\n", "line 2: holds a NUL character"),
        ("id\tname\nA\tx\n".encode("utf-16"), "is not UTF-8"),
    ],
)
def test_a_file_that_cannot_be_used_as_a_whole_says_why(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "terms.tsv").write_bytes(content)
    with pytest.raises(InputError, match=reason) as caught:
        load_catalogue(tmp_path)
    assert caught.value.file and caught.value.remedy


def test_a_quote_that_is_never_closed_is_told_with_its_line_and_takes_no_record_along(tmp_path: Path) -> None:
    path = tmp_path / "terms.csv"
    path.write_text('id,name\n1,abc\n2,"def\n3,ghi\n', encoding="utf-8")
    with pytest.raises(InputError, match="line 3: unexpected end of data"):
        load_catalogue(path)


def test_a_missing_file_or_folder_or_another_format_says_what_is_wanted(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no catalogue in this folder"):
        load_catalogue(tmp_path)
    with pytest.raises(InputError, match="cannot be read: No such file"):
        load_catalogue(tmp_path / "terms.tsv")
    (tmp_path / "terms.xlsx").touch()
    with pytest.raises(InputError, match=r"no reader for \.xlsx"):
        load_catalogue(tmp_path / "terms.xlsx")


def test_curated_tables_are_read_from_beside_and_checked(tmp_path: Path) -> None:
    (tmp_path / "aliases.tsv").write_text("text\tid\nthe bridge\tB\nnowhere\tX\n", encoding="utf-8")
    (tmp_path / "abbreviations.tsv").write_text(
        "text\tid\texpansion\tnote\nPn\tB\t\t\nctx\t\tcortex\tin mice\nlost\t\t\t\n\tB\t\t\n", encoding="utf-8"
    )
    (tmp_path / "tokens.tsv").write_text("text\tkind\nmouse\tstop\nodd\tword\nmouse\tside\n", encoding="utf-8")
    found, problems = catalogue(tmp_path, "B\tpons\t\t\t")
    assert [(alias.text, alias.id) for alias in found.curated.aliases] == [("the bridge", "B")]
    assert [(short.text, short.id, short.expansion, short.note) for short in found.curated.abbreviations] == [
        ("Pn", "B", "", ""),
        ("ctx", "", "cortex", "in mice"),
    ]
    assert [(token.text, token.kind) for token in found.curated.tokens] == [("mouse", "stop")]
    assert sorted((problem.path, problem.item) for problem in problems) == [
        ("abbreviations.tsv", "line 5"),
        ("abbreviations.tsv", "lost"),
        ("aliases.tsv", "nowhere"),
        ("tokens.tsv", "mouse"),
        ("tokens.tsv", "odd"),
    ]
    assert {problem.kind for problem in problems} == {"curated"}


def test_a_curated_table_that_cannot_be_used_is_told_and_the_catalogue_loads(tmp_path: Path) -> None:
    (tmp_path / "aliases.tsv").write_bytes(b"text\tid\n\xff\tB\n")
    (tmp_path / "tokens.tsv").write_text("word\nmouse\n", encoding="utf-8")
    found, problems = catalogue(tmp_path, "B\tpons\t\t\t")
    assert found.terms and not found.curated.tokens
    assert [(problem.path, problem.message.partition(" (")[0]) for problem in problems] == [
        ("aliases.tsv", "not used: line 2: is not UTF-8"),
        ("tokens.tsv", "not used: has no column 'text'"),
    ]


def test_of_two_files_or_two_meanings_one_is_read_and_the_other_told(tmp_path: Path) -> None:
    (tmp_path / "terms.csv").write_text("id,name\nC,other\n", encoding="utf-8")
    (tmp_path / "abbreviations.tsv").write_text("text\tid\texpansion\nPn\tB\tpine\n", encoding="utf-8")
    found, problems = catalogue(tmp_path, "B\tpons\t\t\t")
    assert [term.id for term in found.terms] == ["B"]
    assert [(short.id, short.expansion) for short in found.curated.abbreviations] == [("B", "")]
    assert [(problem.path, problem.message.partition(":")[0]) for problem in problems] == [
        ("abbreviations.tsv", "has id and expansion"),
        ("terms.csv", "is not read beside terms.tsv"),
    ]


OBO = """format-version: 1.2
synonymtypedef: ABBREVIATION "abbreviation"

[Term]
id: X:1
name: forebrain (prosencephalon)

[Term]
id: X:2
name: thalamus
synonym: "thalamencephalon" EXACT []
synonym: "TH" EXACT ABBREVIATION []
synonym: "optic layer" RELATED []
relationship: part_of X:1

[Term]
id: X:3
name: old thing
is_obsolete: true

[Term]
id: X:4
is_a: X:2

[Typedef]
id: part_of
name: part of
"""


def test_an_ontology_is_a_catalogue_of_its_exact_names(tmp_path: Path) -> None:
    pytest.importorskip("pronto", reason="the extra `ontology` is not installed")
    path = tmp_path / "brain.obo"
    path.write_text(OBO, encoding="utf-8")
    found, problems = load_catalogue(path)
    assert found.terms == (
        Term(id="X:1", name="forebrain (prosencephalon)", synonyms=("forebrain", "prosencephalon")),
        Term(id="X:2", name="thalamus", acronym="TH", synonyms=("thalamencephalon",), parent_id="X:1"),
    )
    assert told(problems) == [("empty_name", "X:4")]
    path.write_text("no ontology at all", encoding="utf-8")
    with pytest.raises(InputError, match="pronto cannot read it"):
        load_catalogue(path)


def test_what_an_ontology_refers_to_without_declaring_it_is_told_and_the_rest_loads(tmp_path: Path) -> None:
    pytest.importorskip("pronto", reason="the extra `ontology` is not installed")
    path = tmp_path / "cart.obo"
    path.write_text(
        'format-version: 1.2\n\n[Term]\nid: X:1\nname: wheel\nsynonym: "W" EXACT ABBR []\n'
        'is_a: X:9 {source="x"} ! gone\n'
        '\n[Term]\nid: X:2\nname: cart\nsynonym: "wain" EXACT DATED []\nrelationship: part_of X:8 ! lost\n'
        "\n[Term]\nid: X:3\nname: axle\nrelationship: part_of X:2\n",
        encoding="utf-8",
    )
    found, problems = load_catalogue(path)
    assert found.terms == (
        Term(id="X:1", name="wheel", acronym="W"),
        Term(id="X:2", name="cart", synonyms=("wain",)),
        Term(id="X:3", name="axle", parent_id="X:2"),
    )
    assert told(problems) == [("dangling_parent", "X:1"), ("dangling_parent", "X:2")]
    owl = tmp_path / "cart.owl"
    owl.write_text(
        '<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
        'xmlns:owl="http://www.w3.org/2002/07/owl#" xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#">'
        '<owl:Ontology rdf:about="http://example.org/x"/><owl:Class rdf:about="http://purl.obolibrary.org/obo/X_1">'
        '<rdfs:label>wheel</rdfs:label><rdfs:subClassOf rdf:resource="http://purl.obolibrary.org/obo/X_9"/></owl:Class>'
        "</rdf:RDF>",
        encoding="utf-8",
    )
    found, problems = load_catalogue(owl)
    assert (found.terms, told(problems)) == ((Term(id="X:1", name="wheel"),), [("dangling_parent", "X:1")])


def test_without_the_extra_an_ontology_says_what_to_install(tmp_path: Path) -> None:
    if find_spec("pronto") is not None:
        pytest.skip("the extra `ontology` is installed")
    (tmp_path / "brain.obo").write_text(OBO, encoding="utf-8")
    with pytest.raises(InputError, match=r"no reader for \.obo is installed \(pip install -e"):
        load_catalogue(tmp_path / "brain.obo")
