CREATE TABLE warehouse_schema (version INTEGER NOT NULL);
CREATE TABLE notes (seq INTEGER, path VARCHAR PRIMARY KEY, source VARCHAR NOT NULL, status VARCHAR NOT NULL,
    title VARCHAR, text VARCHAR, sha256 VARCHAR, normalised VARCHAR, problem VARCHAR, reader VARCHAR);
CREATE TABLE facts (seq INTEGER, path VARCHAR PRIMARY KEY, source VARCHAR NOT NULL, fields JSON NOT NULL,
    evidence JSON NOT NULL, note_sha256 VARCHAR NOT NULL, provenance JSON NOT NULL);
CREATE TABLE gaps (seq INTEGER, stage VARCHAR NOT NULL, item VARCHAR NOT NULL, gate VARCHAR NOT NULL,
    reason VARCHAR NOT NULL, round INTEGER DEFAULT 1, again BOOLEAN DEFAULT TRUE, feedback JSON DEFAULT '[]',
    about VARCHAR DEFAULT '');
CREATE TABLE knowledge_generation (generation VARCHAR NOT NULL);
CREATE TABLE knowledge_facts (seq INTEGER, path VARCHAR NOT NULL, source VARCHAR PRIMARY KEY, fields JSON NOT NULL,
    evidence JSON NOT NULL, note_sha256 VARCHAR NOT NULL, provenance JSON NOT NULL);
CREATE TABLE knowledge_sources (seq INTEGER, source VARCHAR PRIMARY KEY, path VARCHAR NOT NULL, text VARCHAR NOT NULL,
    sha256 VARCHAR NOT NULL, reader VARCHAR);
CREATE TABLE chunks (seq INTEGER, id VARCHAR NOT NULL, kind VARCHAR NOT NULL, source VARCHAR NOT NULL,
    start BIGINT NOT NULL, "end" BIGINT NOT NULL, text_sha256 VARCHAR NOT NULL, document_sha256 VARCHAR NOT NULL,
    fingerprint VARCHAR NOT NULL, PRIMARY KEY (kind, id));
CREATE TABLE draft_answers (seq INTEGER, id VARCHAR PRIMARY KEY, question VARCHAR NOT NULL, status VARCHAR NOT NULL,
    answer VARCHAR, citations JSON, quotes JSON, shown JSON, generation VARCHAR, problem VARCHAR, provenance JSON,
    again BOOLEAN DEFAULT TRUE, feedback JSON DEFAULT '[]');
CREATE TABLE answers (seq INTEGER, id VARCHAR PRIMARY KEY, question VARCHAR NOT NULL, status VARCHAR NOT NULL,
    answer VARCHAR, citations JSON, quotes JSON, generation VARCHAR, kept BOOLEAN, provenance JSON);
