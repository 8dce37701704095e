"""The tables as they are now, and the steps that bring a file of an earlier version up to them."""

from __future__ import annotations

from collections.abc import Mapping

import duckdb

SCHEMA_VERSION = 8

# `seq` keeps the order in which rows were written; lists and mappings are JSON text.
TABLES = """
CREATE TABLE warehouse_schema (version INTEGER NOT NULL);
CREATE TABLE notes (seq INTEGER, path VARCHAR PRIMARY KEY, source VARCHAR NOT NULL, status VARCHAR NOT NULL,
    title VARCHAR, text VARCHAR, sha256 VARCHAR, normalised VARCHAR, problem VARCHAR, reader VARCHAR);
CREATE TABLE facts (seq INTEGER, path VARCHAR PRIMARY KEY, source VARCHAR NOT NULL, fields JSON NOT NULL,
    evidence JSON NOT NULL, note_sha256 VARCHAR NOT NULL, provenance JSON NOT NULL, reply JSON,
    places JSON DEFAULT '{}', receipt VARCHAR DEFAULT '');
CREATE TABLE gaps (seq INTEGER, stage VARCHAR NOT NULL, item VARCHAR NOT NULL, gate VARCHAR NOT NULL,
    reason VARCHAR NOT NULL, round INTEGER DEFAULT 1, again BOOLEAN DEFAULT TRUE, feedback JSON DEFAULT '[]',
    about VARCHAR DEFAULT '');
CREATE TABLE knowledge_generation (generation VARCHAR NOT NULL);
CREATE TABLE knowledge_facts (seq INTEGER, path VARCHAR NOT NULL, source VARCHAR PRIMARY KEY, fields JSON NOT NULL,
    evidence JSON NOT NULL, note_sha256 VARCHAR NOT NULL, provenance JSON NOT NULL, reply JSON,
    places JSON DEFAULT '{}', receipt VARCHAR DEFAULT '');
CREATE TABLE knowledge_sources (seq INTEGER, source VARCHAR PRIMARY KEY, path VARCHAR NOT NULL, text VARCHAR NOT NULL,
    sha256 VARCHAR NOT NULL, reader VARCHAR);
CREATE TABLE chunks (seq INTEGER, id VARCHAR NOT NULL, kind VARCHAR NOT NULL, source VARCHAR NOT NULL,
    start BIGINT NOT NULL, "end" BIGINT NOT NULL, text_sha256 VARCHAR NOT NULL, document_sha256 VARCHAR NOT NULL,
    fingerprint VARCHAR NOT NULL, PRIMARY KEY (kind, id));
CREATE TABLE draft_answers (seq INTEGER, id VARCHAR PRIMARY KEY, question VARCHAR NOT NULL, status VARCHAR NOT NULL,
    answer VARCHAR, citations JSON, quotes JSON, shown JSON, generation VARCHAR, problem VARCHAR, provenance JSON,
    again BOOLEAN DEFAULT TRUE, feedback JSON DEFAULT '[]', reply JSON);
CREATE TABLE answers (seq INTEGER, id VARCHAR PRIMARY KEY, question VARCHAR NOT NULL, status VARCHAR NOT NULL,
    answer VARCHAR, citations JSON, quotes JSON, generation VARCHAR, kept BOOLEAN, provenance JSON,
    reply JSON, receipt VARCHAR DEFAULT '');
"""
_DECISIONS = """
CREATE TABLE decisions (seq INTEGER, id VARCHAR PRIMARY KEY, original_id VARCHAR NOT NULL, path VARCHAR NOT NULL,
    title VARCHAR NOT NULL, status VARCHAR NOT NULL, status_text VARCHAR, date VARCHAR, date_text VARCHAR,
    summary VARCHAR, body VARCHAR, text VARCHAR, sha256 VARCHAR NOT NULL, links JSON, unresolved JSON);
CREATE TABLE decision_files (seq INTEGER, path VARCHAR NOT NULL, kind VARCHAR NOT NULL, message VARCHAR NOT NULL);
"""
TABLES += _DECISIONS

_VIEWS = """
CREATE TABLE portal_views (seq INTEGER, path VARCHAR NOT NULL, view_id VARCHAR PRIMARY KEY, title VARCHAR,
    description VARCHAR, ai_purpose VARCHAR, doc_text VARCHAR NOT NULL, sha256 VARCHAR NOT NULL,
    decikg_stripped BOOLEAN NOT NULL, decikg_strip_method VARCHAR NOT NULL, decikg_strip_error VARCHAR NOT NULL,
    decikg_bytes_before BIGINT NOT NULL, decikg_bytes_after BIGINT NOT NULL);
CREATE TABLE view_problems (seq INTEGER, path VARCHAR NOT NULL, item VARCHAR NOT NULL, message VARCHAR NOT NULL);
"""
TABLES += _VIEWS

_MANIFESTS = """
CREATE TABLE manifests (seq INTEGER, part VARCHAR PRIMARY KEY, items JSON NOT NULL, receipt VARCHAR NOT NULL);
"""
TABLES += _MANIFESTS

_MAPPINGS = """
CREATE TABLE catalogue_terms (seq INTEGER, id VARCHAR PRIMARY KEY, name VARCHAR NOT NULL, acronym VARCHAR,
    synonyms JSON, parent_id VARCHAR);
CREATE TABLE catalogue_problems (seq INTEGER, path VARCHAR NOT NULL, item VARCHAR NOT NULL, kind VARCHAR NOT NULL,
    message VARCHAR NOT NULL);
CREATE TABLE term_mappings (seq INTEGER, asked JSON NOT NULL, top_k INTEGER NOT NULL, candidates JSON NOT NULL,
    removed JSON, ambiguous VARCHAR, ai JSON, said JSON, provenance JSON);
CREATE TABLE mapping_calls (seq INTEGER, key VARCHAR NOT NULL, round INTEGER NOT NULL, queries INTEGER NOT NULL,
    model VARCHAR, input_tokens JSON, output_tokens JSON, usd JSON, problem VARCHAR);
"""
TABLES += _MAPPINGS

_RECALLS = """
CREATE TABLE recall_citations (seq INTEGER, draft VARCHAR NOT NULL, path VARCHAR PRIMARY KEY, title VARCHAR,
    status VARCHAR NOT NULL, reason VARCHAR, problem VARCHAR, citations JSON, dropped JSON, candidates JSON,
    prompt_problem VARCHAR, inputs VARCHAR, provenance JSON);
"""
TABLES += _RECALLS

# From the version named to the next one; a new step comes with the same change of TABLES.
_STEPS: Mapping[int, str] = {
    1: """
ALTER TABLE gaps ADD COLUMN round INTEGER DEFAULT 1;
ALTER TABLE gaps ADD COLUMN again BOOLEAN DEFAULT TRUE;
ALTER TABLE gaps ADD COLUMN feedback JSON DEFAULT '[]';
ALTER TABLE gaps ADD COLUMN about VARCHAR DEFAULT '';
ALTER TABLE draft_answers ADD COLUMN again BOOLEAN DEFAULT TRUE;
ALTER TABLE draft_answers ADD COLUMN feedback JSON DEFAULT '[]';
""",
    2: """
ALTER TABLE facts ADD COLUMN reply JSON;
ALTER TABLE facts ADD COLUMN places JSON DEFAULT '{}';
ALTER TABLE facts ADD COLUMN receipt VARCHAR DEFAULT '';
ALTER TABLE knowledge_facts ADD COLUMN reply JSON;
ALTER TABLE knowledge_facts ADD COLUMN places JSON DEFAULT '{}';
ALTER TABLE knowledge_facts ADD COLUMN receipt VARCHAR DEFAULT '';
ALTER TABLE draft_answers ADD COLUMN reply JSON;
ALTER TABLE answers ADD COLUMN reply JSON;
ALTER TABLE answers ADD COLUMN receipt VARCHAR DEFAULT '';
""",
    3: _DECISIONS,
    4: _VIEWS,
    5: _MANIFESTS,
    6: _RECALLS,
    7: _MAPPINGS,
}


def migrate(connection: duckdb.DuckDBPyConnection, version: int) -> None:
    """Bring tables of an earlier version up to date, inside the caller's transaction; no row is lost."""
    for number in range(version, SCHEMA_VERSION):
        connection.execute(_STEPS[number])
    connection.execute("UPDATE warehouse_schema SET version = ?", [SCHEMA_VERSION])
