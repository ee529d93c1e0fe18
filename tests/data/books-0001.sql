BEGIN TRANSACTION;
CREATE TABLE accounts (
	id INTEGER NOT NULL, 
	code VARCHAR NOT NULL, 
	kind VARCHAR NOT NULL, 
	has_floor BOOLEAN NOT NULL, 
	holder_id VARCHAR, 
	created_us BIGINT NOT NULL, 
	CONSTRAINT pk_accounts PRIMARY KEY (id), 
	CONSTRAINT uq_accounts_code UNIQUE (code), 
	CONSTRAINT ck_accounts_kind CHECK (kind IN ('asker', 'holder', 'reserve', 'platform')), 
	CONSTRAINT fk_accounts_holder_id FOREIGN KEY(holder_id) REFERENCES rights_holders (id)
);
INSERT INTO "accounts" VALUES(1,'reserve:unattributed','reserve',1,NULL,1796026265418194);
INSERT INTO "accounts" VALUES(2,'reserve:unclaimed','reserve',1,NULL,1796026265418194);
INSERT INTO "accounts" VALUES(3,'reserve:disputed','reserve',1,NULL,1796026265418194);
INSERT INTO "accounts" VALUES(4,'asker:local','asker',0,NULL,1796026265418194);
INSERT INTO "accounts" VALUES(5,'holder:h9e451907ff2843b6','holder',1,'h9e451907ff2843b6',1796026265421793);
INSERT INTO "accounts" VALUES(6,'holder:h3fa6f488ba0f1776','holder',1,'h3fa6f488ba0f1776',1796026265437102);
INSERT INTO "accounts" VALUES(7,'holder:press','holder',1,'press',1700000000000000);
INSERT INTO "accounts" VALUES(8,'asker:bob','asker',0,NULL,1700000000000004);
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE answers (
	id VARCHAR NOT NULL, 
	asker_id VARCHAR NOT NULL, 
	kind VARCHAR NOT NULL, 
	state VARCHAR NOT NULL, 
	question VARCHAR NOT NULL, 
	claim VARCHAR, 
	preface VARCHAR NOT NULL, 
	text VARCHAR NOT NULL, 
	language VARCHAR NOT NULL, 
	model VARCHAR NOT NULL, 
	model_fingerprint VARCHAR NOT NULL, 
	prompt_fingerprint VARCHAR NOT NULL, 
	prompt_ids JSON NOT NULL, 
	tail_start INTEGER NOT NULL, 
	answer_ids JSON NOT NULL, 
	options JSON NOT NULL, 
	refusal VARCHAR, 
	policy_version INTEGER NOT NULL, 
	fee_micro BIGINT NOT NULL, 
	timings_ms JSON NOT NULL, 
	created_us BIGINT NOT NULL, 
	CONSTRAINT pk_answers PRIMARY KEY (id), 
	CONSTRAINT ck_answers_fee CHECK (fee_micro >= 0), 
	CONSTRAINT ck_answers_kind CHECK (kind IN ('ask', 'who')), 
	CONSTRAINT ck_answers_state CHECK (state IN ('answered', 'refused')), 
	CONSTRAINT fk_answers_policy_version FOREIGN KEY(policy_version) REFERENCES policies (version)
);
INSERT INTO "answers" VALUES('answer-1','local','ask','answered','1+1+1 等于几？',NULL,'','1 + 1 = 2。答案是3。','zh','builtin:tiny','m','p','[1, 2, 3, 4, 5, 6, 7, 8]',6,'[11, 12, 13, 14]','{"seed": null, "temperature": 0.0}',NULL,1,10000,'{"retrieve": 3, "generate": 900}',1700000000000001);
INSERT INTO "answers" VALUES('answer-2','local','ask','answered','1+1+1 等于几？',NULL,'','1 + 1 = 2。答案是3。','zh','builtin:tiny','m','p','[1, 2, 3, 4, 5, 6, 7, 8]',6,'[11, 12, 13, 14]','{"seed": null, "temperature": 0.0}',NULL,1,10000,'{"retrieve": 3, "generate": 900}',1700000000000002);
INSERT INTO "answers" VALUES('answer-3','local','ask','answered','1+1+1 等于几？',NULL,'','1 + 1 = 2。答案是3。','zh','builtin:tiny','m','p','[1, 2, 3, 4, 5, 6, 7, 8]',6,'[11, 12, 13, 14]','{"seed": null, "temperature": 0.0}',NULL,1,10000,'{"retrieve": 3, "generate": 900}',1700000000000003);
INSERT INTO "answers" VALUES('answer-4','bob','ask','answered','1+1+1 等于几？',NULL,'','1 + 1 = 2。答案是3。','zh','builtin:tiny','m','p','[1, 2, 3, 4, 5, 6, 7, 8]',6,'[11, 12, 13, 14]','{"seed": null, "temperature": 0.0}',NULL,1,10000,'{"retrieve": 3, "generate": 900}',1700000000000004);
CREATE TABLE attributions (
	id INTEGER NOT NULL, 
	answer_id VARCHAR NOT NULL, 
	version INTEGER NOT NULL, 
	tier VARCHAR NOT NULL, 
	rule VARCHAR NOT NULL, 
	method VARCHAR NOT NULL, 
	v_none DOUBLE, 
	v_all DOUBLE, 
	grounding DOUBLE, 
	residual DOUBLE, 
	order_spread DOUBLE, 
	unattributed_ppb INTEGER NOT NULL, 
	unsupported_ppb INTEGER NOT NULL, 
	already_known_ppb INTEGER NOT NULL, 
	below_noise_ppb INTEGER NOT NULL, 
	disagree_ppb INTEGER NOT NULL, 
	detail JSON NOT NULL, 
	created_us BIGINT NOT NULL, 
	CONSTRAINT pk_attributions PRIMARY KEY (id), 
	CONSTRAINT uq_attributions_answer_id_version UNIQUE (answer_id, version), 
	CONSTRAINT ck_attributions_causes CHECK (unattributed_ppb = unsupported_ppb + already_known_ppb + below_noise_ppb + disagree_ppb), 
	CONSTRAINT ck_attributions_tier CHECK (tier IN ('provisional', 'final')), 
	CONSTRAINT fk_attributions_answer_id FOREIGN KEY(answer_id) REFERENCES answers (id)
);
INSERT INTO "attributions" VALUES(1,'answer-1',1,'final','used-and-supported/1','exact',-3.5,-0.5,0.857,0.0,NULL,150000000,150000000,0,0,0,'{"budget": {"passes": 4}, "holdings": {"holders": {"a112e1b16cd947753": "h9e451907ff2843b6", "a5dbb0baddc84da3e": "h3fa6f488ba0f1776"}, "grants": {}, "disputed": []}}',1700000001000000);
INSERT INTO "attributions" VALUES(2,'answer-2',1,'final','used-and-supported/1','exact',-3.5,-0.5,0.857,0.0,NULL,150000000,150000000,0,0,0,'{"budget": {"passes": 4}, "holdings": {"holders": {"a112e1b16cd947753": "h9e451907ff2843b6", "a5dbb0baddc84da3e": "h3fa6f488ba0f1776"}, "grants": {}, "disputed": []}}',1700000001000000);
INSERT INTO "attributions" VALUES(3,'answer-3',1,'final','used-and-supported/1','exact',-3.5,-0.5,0.857,0.0,NULL,150000000,150000000,0,0,0,'{"budget": {"passes": 4}, "holdings": {"holders": {"a112e1b16cd947753": "h9e451907ff2843b6", "a5dbb0baddc84da3e": "h3fa6f488ba0f1776"}, "grants": {"1": [["press", 250000]], "2": [["press", 250000]], "3": [["press", 250000]]}, "disputed": []}}',1700000001000000);
INSERT INTO "attributions" VALUES(4,'answer-4',1,'final','used-and-supported/1','exact',-3.5,-0.5,0.857,0.0,NULL,150000000,150000000,0,0,0,'{"budget": {"passes": 4}, "holdings": {"holders": {"a112e1b16cd947753": "h9e451907ff2843b6", "a5dbb0baddc84da3e": "h3fa6f488ba0f1776"}, "grants": {"1": [["press", 250000]], "2": [["press", 250000]], "3": [["press", 250000]]}, "disputed": []}}',1700000001000000);
CREATE TABLE author_aliases (
	id INTEGER NOT NULL, 
	author_id VARCHAR NOT NULL, 
	namespace VARCHAR NOT NULL, 
	alias VARCHAR NOT NULL, 
	alias_key VARCHAR NOT NULL, 
	confirmed BOOLEAN NOT NULL, 
	created_us BIGINT NOT NULL, 
	CONSTRAINT pk_author_aliases PRIMARY KEY (id), 
	CONSTRAINT fk_author_aliases_author_id FOREIGN KEY(author_id) REFERENCES authors (id)
);
CREATE TABLE author_identifiers (
	scheme VARCHAR NOT NULL, 
	value VARCHAR NOT NULL, 
	author_id VARCHAR NOT NULL, 
	CONSTRAINT pk_author_identifiers PRIMARY KEY (scheme, value), 
	CONSTRAINT fk_author_identifiers_author_id FOREIGN KEY(author_id) REFERENCES authors (id)
);
CREATE TABLE author_names (
	author_id VARCHAR NOT NULL, 
	namespace VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	name_key VARCHAR NOT NULL, 
	CONSTRAINT pk_author_names PRIMARY KEY (author_id), 
	CONSTRAINT fk_author_names_author_id FOREIGN KEY(author_id) REFERENCES authors (id)
);
INSERT INTO "author_names" VALUES('a112e1b16cd947753','test','A','A');
INSERT INTO "author_names" VALUES('a5dbb0baddc84da3e','test','B','B');
CREATE TABLE authors (
	id VARCHAR NOT NULL, 
	namespace VARCHAR NOT NULL, 
	created_us BIGINT NOT NULL, 
	CONSTRAINT pk_authors PRIMARY KEY (id)
);
INSERT INTO "authors" VALUES('a112e1b16cd947753','test',1796026265421793);
INSERT INTO "authors" VALUES('a5dbb0baddc84da3e','test',1796026265437102);
CREATE TABLE citations (
	attribution_id INTEGER NOT NULL, 
	segment INTEGER NOT NULL, 
	statement_id BIGINT NOT NULL, 
	share_ppb INTEGER NOT NULL, 
	CONSTRAINT pk_citations PRIMARY KEY (attribution_id, segment, statement_id), 
	CONSTRAINT fk_citations_attribution_id FOREIGN KEY(attribution_id) REFERENCES attributions (id)
);
INSERT INTO "citations" VALUES(1,0,1,400000000);
INSERT INTO "citations" VALUES(1,0,2,350000000);
INSERT INTO "citations" VALUES(1,0,3,100000000);
INSERT INTO "citations" VALUES(2,0,1,400000000);
INSERT INTO "citations" VALUES(2,0,2,350000000);
INSERT INTO "citations" VALUES(2,0,3,100000000);
INSERT INTO "citations" VALUES(3,0,1,400000000);
INSERT INTO "citations" VALUES(3,0,2,350000000);
INSERT INTO "citations" VALUES(3,0,3,100000000);
INSERT INTO "citations" VALUES(4,0,1,400000000);
INSERT INTO "citations" VALUES(4,0,2,350000000);
INSERT INTO "citations" VALUES(4,0,3,100000000);
CREATE TABLE clusters (
	id INTEGER NOT NULL, 
	created_us BIGINT NOT NULL, 
	CONSTRAINT pk_clusters PRIMARY KEY (id)
);
INSERT INTO "clusters" VALUES(1,1796026265441340);
INSERT INTO "clusters" VALUES(2,1796026265441340);
INSERT INTO "clusters" VALUES(3,1796026265441340);
CREATE TABLE context_entries (
	answer_id VARCHAR NOT NULL, 
	position INTEGER NOT NULL, 
	statement_id BIGINT NOT NULL, 
	statement_hash VARCHAR NOT NULL, 
	occurrence_id BIGINT, 
	player VARCHAR NOT NULL, 
	included BOOLEAN NOT NULL, 
	token_start INTEGER, 
	token_end INTEGER, 
	retrieval DOUBLE NOT NULL, 
	CONSTRAINT pk_context_entries PRIMARY KEY (answer_id, position), 
	CONSTRAINT fk_context_entries_answer_id FOREIGN KEY(answer_id) REFERENCES answers (id)
);
INSERT INTO "context_entries" VALUES('answer-1',0,1,'0000000000000000000000000000000000000000000000000000000000000001',1,'p0',1,0,2,0.9);
INSERT INTO "context_entries" VALUES('answer-1',1,2,'0000000000000000000000000000000000000000000000000000000000000002',2,'p1',1,2,4,0.8);
INSERT INTO "context_entries" VALUES('answer-1',2,3,'0000000000000000000000000000000000000000000000000000000000000003',3,'p2',1,4,6,0.7);
INSERT INTO "context_entries" VALUES('answer-2',0,1,'0000000000000000000000000000000000000000000000000000000000000001',1,'p0',1,0,2,0.9);
INSERT INTO "context_entries" VALUES('answer-2',1,2,'0000000000000000000000000000000000000000000000000000000000000002',2,'p1',1,2,4,0.8);
INSERT INTO "context_entries" VALUES('answer-2',2,3,'0000000000000000000000000000000000000000000000000000000000000003',3,'p2',1,4,6,0.7);
INSERT INTO "context_entries" VALUES('answer-3',0,1,'0000000000000000000000000000000000000000000000000000000000000001',1,'p0',1,0,2,0.9);
INSERT INTO "context_entries" VALUES('answer-3',1,2,'0000000000000000000000000000000000000000000000000000000000000002',2,'p1',1,2,4,0.8);
INSERT INTO "context_entries" VALUES('answer-3',2,3,'0000000000000000000000000000000000000000000000000000000000000003',3,'p2',1,4,6,0.7);
INSERT INTO "context_entries" VALUES('answer-4',0,1,'0000000000000000000000000000000000000000000000000000000000000001',1,'p0',1,0,2,0.9);
INSERT INTO "context_entries" VALUES('answer-4',1,2,'0000000000000000000000000000000000000000000000000000000000000002',2,'p1',1,2,4,0.8);
INSERT INTO "context_entries" VALUES('answer-4',2,3,'0000000000000000000000000000000000000000000000000000000000000003',3,'p2',1,4,6,0.7);
CREATE TABLE embeddings (
	statement_id INTEGER NOT NULL, 
	fingerprint VARCHAR NOT NULL, 
	dim INTEGER NOT NULL, 
	vector BLOB NOT NULL, 
	CONSTRAINT pk_embeddings PRIMARY KEY (statement_id, fingerprint), 
	CONSTRAINT fk_embeddings_statement_id FOREIGN KEY(statement_id) REFERENCES statements (id)
);
CREATE TABLE entries (
	seq INTEGER NOT NULL, 
	"key" VARCHAR NOT NULL, 
	prev_hash VARCHAR NOT NULL, 
	hash VARCHAR NOT NULL, 
	seal INTEGER NOT NULL, 
	period_id INTEGER NOT NULL, 
	policy_version INTEGER NOT NULL, 
	created_us BIGINT NOT NULL, 
	CONSTRAINT pk_entries PRIMARY KEY (seq), 
	CONSTRAINT uq_entries_hash UNIQUE (hash), 
	CONSTRAINT uq_entries_key UNIQUE ("key"), 
	CONSTRAINT uq_entries_prev_hash UNIQUE (prev_hash), 
	CONSTRAINT ck_entries_seal CHECK (seal = seq), 
	CONSTRAINT fk_entries_seal FOREIGN KEY(seal) REFERENCES entry_seals (entry_seq) DEFERRABLE INITIALLY DEFERRED, 
	CONSTRAINT fk_entries_period_id FOREIGN KEY(period_id) REFERENCES periods (id), 
	CONSTRAINT fk_entries_policy_version FOREIGN KEY(policy_version) REFERENCES policies (version)
);
INSERT INTO "entries" VALUES(1,'answer:answer-1:dist:1','0000000000000000000000000000000000000000000000000000000000000000','957d1900696c6494e11f8b7b071e172efd46d39fca7034843156d5263a1693cc',1,1,1,1700000000000001);
INSERT INTO "entries" VALUES(2,'answer:answer-2:dist:1','957d1900696c6494e11f8b7b071e172efd46d39fca7034843156d5263a1693cc','2cdb085457ba0ee2dcef2c1e90310f9dd3d4cef46829cf10077403c99f3792f6',2,1,1,1700000000000002);
INSERT INTO "entries" VALUES(3,'answer:answer-3:dist:1','2cdb085457ba0ee2dcef2c1e90310f9dd3d4cef46829cf10077403c99f3792f6','bd6ca6e4b2781801a8717482f3cc1df9e085eda052ee9ebe5c940b2cba8a4500',3,1,1,1700000000000003);
INSERT INTO "entries" VALUES(4,'answer:answer-4:dist:1','bd6ca6e4b2781801a8717482f3cc1df9e085eda052ee9ebe5c940b2cba8a4500','a31eff3dc884a9d1396ec2c703854fc20a38e832bd0f398e1fb68e4bc2565e72',4,1,1,1700000000000004);
CREATE TABLE entry_seals (
	entry_seq INTEGER NOT NULL, 
	transfer_count INTEGER NOT NULL, 
	CONSTRAINT pk_entry_seals PRIMARY KEY (entry_seq), 
	CONSTRAINT ck_entry_seals_transfer_count CHECK (transfer_count > 0)
);
INSERT INTO "entry_seals" VALUES(1,4);
INSERT INTO "entry_seals" VALUES(2,4);
INSERT INTO "entry_seals" VALUES(3,7);
INSERT INTO "entry_seals" VALUES(4,7);
CREATE TABLE grants (
	id INTEGER NOT NULL, 
	work_id VARCHAR NOT NULL, 
	holder_id VARCHAR NOT NULL, 
	ppm INTEGER NOT NULL, 
	may_retrieve BOOLEAN NOT NULL, 
	may_generate BOOLEAN NOT NULL, 
	may_display BOOLEAN NOT NULL, 
	may_train BOOLEAN NOT NULL, 
	valid_from_us BIGINT, 
	valid_until_us BIGINT, 
	terms VARCHAR, 
	created_us BIGINT NOT NULL, 
	CONSTRAINT pk_grants PRIMARY KEY (id), 
	CONSTRAINT uq_grants_work_id_holder_id UNIQUE (work_id, holder_id), 
	CONSTRAINT ck_grants_ppm CHECK (ppm > 0 AND ppm <= 1000000), 
	CONSTRAINT fk_grants_work_id FOREIGN KEY(work_id) REFERENCES works (id), 
	CONSTRAINT fk_grants_holder_id FOREIGN KEY(holder_id) REFERENCES rights_holders (id)
);
INSERT INTO "grants" VALUES(1,'w5d5aec2b14f86a9c','press',250000,1,1,1,1,NULL,NULL,NULL,1700000000000003);
CREATE TABLE jobs (
	id VARCHAR NOT NULL, 
	kind VARCHAR NOT NULL, 
	"key" VARCHAR NOT NULL, 
	state VARCHAR NOT NULL, 
	payload JSON NOT NULL, 
	result JSON, 
	error VARCHAR, 
	attempts INTEGER NOT NULL, 
	lease_owner VARCHAR, 
	lease_until_us BIGINT, 
	heartbeat_us BIGINT, 
	created_us BIGINT NOT NULL, 
	updated_us BIGINT NOT NULL, 
	CONSTRAINT pk_jobs PRIMARY KEY (id), 
	CONSTRAINT uq_jobs_key UNIQUE ("key"), 
	CONSTRAINT ck_jobs_state CHECK (state IN ('queued', 'running', 'done', 'failed'))
);
CREATE TABLE occurrence_shares (
	occurrence_id INTEGER NOT NULL, 
	author_id VARCHAR NOT NULL, 
	ppm INTEGER NOT NULL, 
	CONSTRAINT pk_occurrence_shares PRIMARY KEY (occurrence_id, author_id), 
	CONSTRAINT ck_occurrence_shares_ppm CHECK (ppm > 0 AND ppm <= 1000000), 
	CONSTRAINT fk_occurrence_shares_occurrence_id FOREIGN KEY(occurrence_id) REFERENCES occurrences (id), 
	CONSTRAINT fk_occurrence_shares_author_id FOREIGN KEY(author_id) REFERENCES authors (id)
);
INSERT INTO "occurrence_shares" VALUES(1,'a112e1b16cd947753',1000000);
INSERT INTO "occurrence_shares" VALUES(2,'a5dbb0baddc84da3e',1000000);
CREATE TABLE occurrences (
	id INTEGER NOT NULL, 
	statement_id INTEGER NOT NULL, 
	work_id VARCHAR NOT NULL, 
	start INTEGER NOT NULL, 
	"end" INTEGER NOT NULL, 
	page INTEGER, 
	line INTEGER, 
	published_on VARCHAR, 
	registered_us BIGINT NOT NULL, 
	disputed BOOLEAN NOT NULL, 
	withdrawn_us BIGINT, 
	CONSTRAINT pk_occurrences PRIMARY KEY (id), 
	CONSTRAINT uq_occurrences_work_id_start_end UNIQUE (work_id, start, "end"), 
	CONSTRAINT ck_occurrences_span CHECK ("start" >= 0 AND "end" > "start"), 
	CONSTRAINT fk_occurrences_statement_id FOREIGN KEY(statement_id) REFERENCES statements (id), 
	CONSTRAINT fk_occurrences_work_id FOREIGN KEY(work_id) REFERENCES works (id)
);
INSERT INTO "occurrences" VALUES(1,1,'w5d5aec2b14f86a9c',0,9,NULL,NULL,NULL,1796026265445160,0,NULL);
INSERT INTO "occurrences" VALUES(2,2,'w5d5aec2b14f86a9c',10,19,NULL,NULL,NULL,1796026265445160,0,NULL);
INSERT INTO "occurrences" VALUES(3,3,'w5d5aec2b14f86a9c',20,29,NULL,NULL,NULL,1796026265445160,0,NULL);
CREATE TABLE pair_rows (
	id INTEGER NOT NULL, 
	attribution_id INTEGER NOT NULL, 
	statement_id BIGINT NOT NULL, 
	author_id VARCHAR, 
	share_ppb INTEGER NOT NULL, 
	low_ppb INTEGER NOT NULL, 
	high_ppb INTEGER NOT NULL, 
	CONSTRAINT pk_pair_rows PRIMARY KEY (id), 
	CONSTRAINT uq_pair_rows_attribution_id_statement_id_author_id UNIQUE (attribution_id, statement_id, author_id), 
	CONSTRAINT fk_pair_rows_attribution_id FOREIGN KEY(attribution_id) REFERENCES attributions (id), 
	CONSTRAINT fk_pair_rows_author_id FOREIGN KEY(author_id) REFERENCES authors (id)
);
INSERT INTO "pair_rows" VALUES(1,1,1,'a112e1b16cd947753',400000000,400000000,400000000);
INSERT INTO "pair_rows" VALUES(2,1,2,'a5dbb0baddc84da3e',350000000,350000000,350000000);
INSERT INTO "pair_rows" VALUES(3,1,3,NULL,100000000,100000000,100000000);
INSERT INTO "pair_rows" VALUES(4,2,1,'a112e1b16cd947753',400000000,400000000,400000000);
INSERT INTO "pair_rows" VALUES(5,2,2,'a5dbb0baddc84da3e',350000000,350000000,350000000);
INSERT INTO "pair_rows" VALUES(6,2,3,NULL,100000000,100000000,100000000);
INSERT INTO "pair_rows" VALUES(7,3,1,'a112e1b16cd947753',400000000,400000000,400000000);
INSERT INTO "pair_rows" VALUES(8,3,2,'a5dbb0baddc84da3e',350000000,350000000,350000000);
INSERT INTO "pair_rows" VALUES(9,3,3,NULL,100000000,100000000,100000000);
INSERT INTO "pair_rows" VALUES(10,4,1,'a112e1b16cd947753',400000000,400000000,400000000);
INSERT INTO "pair_rows" VALUES(11,4,2,'a5dbb0baddc84da3e',350000000,350000000,350000000);
INSERT INTO "pair_rows" VALUES(12,4,3,NULL,100000000,100000000,100000000);
CREATE TABLE periods (
	id INTEGER NOT NULL, 
	state VARCHAR NOT NULL, 
	opened_us BIGINT NOT NULL, 
	closed_us BIGINT, 
	CONSTRAINT pk_periods PRIMARY KEY (id), 
	CONSTRAINT ck_periods_state CHECK (state IN ('OPEN', 'CLOSING', 'CLOSED'))
);
INSERT INTO "periods" VALUES(1,'OPEN',1796026265418194,NULL);
CREATE TABLE policies (
	version INTEGER NOT NULL, 
	body JSON NOT NULL, 
	created_us BIGINT NOT NULL, 
	CONSTRAINT pk_policies PRIMARY KEY (version)
);
INSERT INTO "policies" VALUES(1,'{"rule": "used-and-supported/1", "support_ppm": 500000, "noise_floor_ppb": 0, "unattributed": "reserve:unattributed", "cluster_rule": "first"}',1796026265418194);
CREATE TABLE rights_holders (
	id VARCHAR NOT NULL, 
	author_id VARCHAR, 
	label VARCHAR, 
	created_us BIGINT NOT NULL, 
	CONSTRAINT pk_rights_holders PRIMARY KEY (id), 
	CONSTRAINT uq_rights_holders_author_id UNIQUE (author_id), 
	CONSTRAINT fk_rights_holders_author_id FOREIGN KEY(author_id) REFERENCES authors (id)
);
INSERT INTO "rights_holders" VALUES('h9e451907ff2843b6','a112e1b16cd947753',NULL,1796026265421793);
INSERT INTO "rights_holders" VALUES('h3fa6f488ba0f1776','a5dbb0baddc84da3e',NULL,1796026265437102);
INSERT INTO "rights_holders" VALUES('press',NULL,'Press',1700000000000000);
CREATE TABLE segments (
	answer_id VARCHAR NOT NULL, 
	position INTEGER NOT NULL, 
	start INTEGER NOT NULL, 
	"end" INTEGER NOT NULL, 
	token_start INTEGER NOT NULL, 
	token_end INTEGER NOT NULL, 
	weight_ppb INTEGER NOT NULL, 
	CONSTRAINT pk_segments PRIMARY KEY (answer_id, position), 
	CONSTRAINT fk_segments_answer_id FOREIGN KEY(answer_id) REFERENCES answers (id)
);
INSERT INTO "segments" VALUES('answer-1',0,0,10,0,2,500000000);
INSERT INTO "segments" VALUES('answer-1',1,10,15,2,4,500000000);
INSERT INTO "segments" VALUES('answer-2',0,0,10,0,2,500000000);
INSERT INTO "segments" VALUES('answer-2',1,10,15,2,4,500000000);
INSERT INTO "segments" VALUES('answer-3',0,0,10,0,2,500000000);
INSERT INTO "segments" VALUES('answer-3',1,10,15,2,4,500000000);
INSERT INTO "segments" VALUES('answer-4',0,0,10,0,2,500000000);
INSERT INTO "segments" VALUES('answer-4',1,10,15,2,4,500000000);
CREATE TABLE signals (
	attribution_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	attention DOUBLE, 
	gradient DOUBLE, 
	influence_nats DOUBLE, 
	support DOUBLE NOT NULL, 
	share_ppb INTEGER NOT NULL, 
	CONSTRAINT pk_signals PRIMARY KEY (attribution_id, position), 
	CONSTRAINT fk_signals_attribution_id FOREIGN KEY(attribution_id) REFERENCES attributions (id)
);
INSERT INTO "signals" VALUES(1,0,0.1,NULL,-0.25,0.5,400000000);
INSERT INTO "signals" VALUES(1,1,0.1,NULL,-0.25,0.5,350000000);
INSERT INTO "signals" VALUES(1,2,0.1,NULL,-0.25,0.5,100000000);
INSERT INTO "signals" VALUES(2,0,0.1,NULL,-0.25,0.5,400000000);
INSERT INTO "signals" VALUES(2,1,0.1,NULL,-0.25,0.5,350000000);
INSERT INTO "signals" VALUES(2,2,0.1,NULL,-0.25,0.5,100000000);
INSERT INTO "signals" VALUES(3,0,0.1,NULL,-0.25,0.5,400000000);
INSERT INTO "signals" VALUES(3,1,0.1,NULL,-0.25,0.5,350000000);
INSERT INTO "signals" VALUES(3,2,0.1,NULL,-0.25,0.5,100000000);
INSERT INTO "signals" VALUES(4,0,0.1,NULL,-0.25,0.5,400000000);
INSERT INTO "signals" VALUES(4,1,0.1,NULL,-0.25,0.5,350000000);
INSERT INTO "signals" VALUES(4,2,0.1,NULL,-0.25,0.5,100000000);
CREATE TABLE statements (
	id INTEGER NOT NULL, 
	scope VARCHAR NOT NULL, 
	hash VARCHAR NOT NULL, 
	text VARCHAR, 
	language VARCHAR NOT NULL, 
	cluster_id INTEGER NOT NULL, 
	withdrawn_us BIGINT, 
	created_us BIGINT NOT NULL, 
	CONSTRAINT pk_statements PRIMARY KEY (id), 
	CONSTRAINT uq_statements_scope_hash UNIQUE (scope, hash), 
	CONSTRAINT fk_statements_cluster_id FOREIGN KEY(cluster_id) REFERENCES clusters (id)
);
INSERT INTO "statements" VALUES(1,'public','405e2f00a5b04d5c62156079c324e5e1374ad9b7eaa34a43ebc11ec2cec99697','1 + 1 = 2','en',1,NULL,1796026265441340);
INSERT INTO "statements" VALUES(2,'public','5859024e1580bdb750c258ad0dfcd1e707074d4a9ec6ad282fe7d9dbeb6816ee','2 + 1 = 3','en',2,NULL,1796026265441340);
INSERT INTO "statements" VALUES(3,'public','3804ced207d2d22cf24ec37efe30d3d4ae38383e5ec163b480e9c28a22691f0e','5 + 4 = 9','en',3,NULL,1796026265441340);
CREATE TABLE support_members (
	support_set_id INTEGER NOT NULL, 
	statement_id BIGINT NOT NULL, 
	CONSTRAINT pk_support_members PRIMARY KEY (support_set_id, statement_id), 
	CONSTRAINT fk_support_members_support_set_id FOREIGN KEY(support_set_id) REFERENCES support_sets (id)
);
INSERT INTO "support_members" VALUES(1,1);
INSERT INTO "support_members" VALUES(1,2);
INSERT INTO "support_members" VALUES(1,3);
INSERT INTO "support_members" VALUES(2,1);
INSERT INTO "support_members" VALUES(2,2);
INSERT INTO "support_members" VALUES(2,3);
INSERT INTO "support_members" VALUES(3,1);
INSERT INTO "support_members" VALUES(3,2);
INSERT INTO "support_members" VALUES(3,3);
INSERT INTO "support_members" VALUES(4,1);
INSERT INTO "support_members" VALUES(4,2);
INSERT INTO "support_members" VALUES(4,3);
CREATE TABLE support_sets (
	id INTEGER NOT NULL, 
	attribution_id INTEGER NOT NULL, 
	segment INTEGER NOT NULL, 
	relation VARCHAR NOT NULL, 
	strength DOUBLE NOT NULL, 
	method VARCHAR NOT NULL, 
	CONSTRAINT pk_support_sets PRIMARY KEY (id), 
	CONSTRAINT ck_support_sets_strength CHECK (strength >= 0 AND strength <= 1), 
	CONSTRAINT ck_support_sets_relation CHECK (relation IN ('supports', 'contradicts')), 
	CONSTRAINT fk_support_sets_attribution_id FOREIGN KEY(attribution_id) REFERENCES attributions (id)
);
INSERT INTO "support_sets" VALUES(1,1,0,'supports',0.9,'equation');
INSERT INTO "support_sets" VALUES(2,2,0,'supports',0.9,'equation');
INSERT INTO "support_sets" VALUES(3,3,0,'supports',0.9,'equation');
INSERT INTO "support_sets" VALUES(4,4,0,'supports',0.9,'equation');
CREATE TABLE transfers (
	id INTEGER NOT NULL, 
	entry_seq INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	debit_account_id INTEGER NOT NULL, 
	credit_account_id INTEGER NOT NULL, 
	amount_micro BIGINT NOT NULL, 
	answer_id VARCHAR, 
	statement_id BIGINT, 
	author_id VARCHAR, 
	share_ppb BIGINT, 
	reason VARCHAR NOT NULL, 
	CONSTRAINT pk_transfers PRIMARY KEY (id), 
	CONSTRAINT uq_transfers_entry_seq_position UNIQUE (entry_seq, position), 
	CONSTRAINT ck_transfers_amount CHECK (amount_micro > 0), 
	CONSTRAINT ck_transfers_accounts CHECK (debit_account_id <> credit_account_id), 
	CONSTRAINT fk_transfers_entry_seq FOREIGN KEY(entry_seq) REFERENCES entries (seq), 
	CONSTRAINT fk_transfers_debit_account_id FOREIGN KEY(debit_account_id) REFERENCES accounts (id), 
	CONSTRAINT fk_transfers_credit_account_id FOREIGN KEY(credit_account_id) REFERENCES accounts (id), 
	CONSTRAINT fk_transfers_answer_id FOREIGN KEY(answer_id) REFERENCES answers (id), 
	CONSTRAINT fk_transfers_author_id FOREIGN KEY(author_id) REFERENCES authors (id)
);
INSERT INTO "transfers" VALUES(1,1,0,4,5,4000,'answer-1',1,'a112e1b16cd947753',400000000,'share');
INSERT INTO "transfers" VALUES(2,1,1,4,6,3500,'answer-1',2,'a5dbb0baddc84da3e',350000000,'share');
INSERT INTO "transfers" VALUES(3,1,2,4,2,1000,'answer-1',3,NULL,100000000,'unclaimed');
INSERT INTO "transfers" VALUES(4,1,3,4,1,1500,'answer-1',NULL,NULL,150000000,'unsupported');
INSERT INTO "transfers" VALUES(5,2,0,4,5,4000,'answer-2',1,'a112e1b16cd947753',400000000,'share');
INSERT INTO "transfers" VALUES(6,2,1,4,6,3500,'answer-2',2,'a5dbb0baddc84da3e',350000000,'share');
INSERT INTO "transfers" VALUES(7,2,2,4,2,1000,'answer-2',3,NULL,100000000,'unclaimed');
INSERT INTO "transfers" VALUES(8,2,3,4,1,1500,'answer-2',NULL,NULL,150000000,'unsupported');
INSERT INTO "transfers" VALUES(9,3,0,4,7,1000,'answer-3',1,'a112e1b16cd947753',100000000,'grant');
INSERT INTO "transfers" VALUES(10,3,1,4,5,3000,'answer-3',1,'a112e1b16cd947753',300000000,'share');
INSERT INTO "transfers" VALUES(11,3,2,4,7,875,'answer-3',2,'a5dbb0baddc84da3e',87500000,'grant');
INSERT INTO "transfers" VALUES(12,3,3,4,6,2625,'answer-3',2,'a5dbb0baddc84da3e',262500000,'share');
INSERT INTO "transfers" VALUES(13,3,4,4,7,250,'answer-3',3,NULL,25000000,'grant');
INSERT INTO "transfers" VALUES(14,3,5,4,2,750,'answer-3',3,NULL,75000000,'unclaimed');
INSERT INTO "transfers" VALUES(15,3,6,4,1,1500,'answer-3',NULL,NULL,150000000,'unsupported');
INSERT INTO "transfers" VALUES(16,4,0,8,7,1000,'answer-4',1,'a112e1b16cd947753',100000000,'grant');
INSERT INTO "transfers" VALUES(17,4,1,8,5,3000,'answer-4',1,'a112e1b16cd947753',300000000,'share');
INSERT INTO "transfers" VALUES(18,4,2,8,7,875,'answer-4',2,'a5dbb0baddc84da3e',87500000,'grant');
INSERT INTO "transfers" VALUES(19,4,3,8,6,2625,'answer-4',2,'a5dbb0baddc84da3e',262500000,'share');
INSERT INTO "transfers" VALUES(20,4,4,8,7,250,'answer-4',3,NULL,25000000,'grant');
INSERT INTO "transfers" VALUES(21,4,5,8,2,750,'answer-4',3,NULL,75000000,'unclaimed');
INSERT INTO "transfers" VALUES(22,4,6,8,1,1500,'answer-4',NULL,NULL,150000000,'unsupported');
CREATE TABLE work_texts (
	work_id VARCHAR NOT NULL, 
	text VARCHAR NOT NULL, 
	CONSTRAINT pk_work_texts PRIMARY KEY (work_id), 
	CONSTRAINT fk_work_texts_work_id FOREIGN KEY(work_id) REFERENCES works (id)
);
INSERT INTO "work_texts" VALUES('w5d5aec2b14f86a9c','1 + 1 = 2
2 + 1 = 3
5 + 4 = 9
');
CREATE TABLE works (
	id VARCHAR NOT NULL, 
	scope VARCHAR NOT NULL, 
	byte_hash VARCHAR NOT NULL, 
	byte_count BIGINT NOT NULL, 
	path VARCHAR NOT NULL, 
	title VARCHAR NOT NULL, 
	media_type VARCHAR NOT NULL, 
	encoding VARCHAR NOT NULL, 
	namespace VARCHAR NOT NULL, 
	published_on VARCHAR, 
	publication_evidence VARCHAR, 
	licence VARCHAR, 
	state VARCHAR NOT NULL, 
	created_us BIGINT NOT NULL, 
	CONSTRAINT pk_works PRIMARY KEY (id), 
	CONSTRAINT uq_works_scope_byte_hash UNIQUE (scope, byte_hash), 
	CONSTRAINT ck_works_state CHECK (state IN ('ingesting', 'ready', 'withdrawn'))
);
INSERT INTO "works" VALUES('w5d5aec2b14f86a9c','public','0000000000000000000000000000000000000000000000000000000000000000',30,'sums','sums','text/plain','utf-8','test',NULL,NULL,NULL,'ingesting',1796026265438182);
CREATE INDEX ix_author_names_namespace_name_key ON author_names (namespace, name_key);
CREATE INDEX ix_author_aliases_author_id ON author_aliases (author_id);
CREATE INDEX ix_author_aliases_namespace_alias_key ON author_aliases (namespace, alias_key);
CREATE INDEX ix_author_identifiers_author_id ON author_identifiers (author_id);
CREATE INDEX ix_grants_holder_id ON grants (holder_id);
CREATE INDEX ix_statements_cluster_id ON statements (cluster_id);
CREATE INDEX ix_occurrences_statement_id ON occurrences (statement_id);
CREATE INDEX ix_occurrence_shares_author_id ON occurrence_shares (author_id);
CREATE UNIQUE INDEX uq_periods_one_open ON periods (state) WHERE state = 'OPEN';
CREATE INDEX ix_context_entries_statement_id ON context_entries (statement_id);
CREATE INDEX ix_support_sets_attribution_id ON support_sets (attribution_id);
CREATE INDEX ix_pair_rows_author_id ON pair_rows (author_id);
CREATE UNIQUE INDEX uq_pair_rows_unknown_author ON pair_rows (attribution_id, statement_id) WHERE author_id IS NULL;
CREATE INDEX ix_transfers_answer_id ON transfers (answer_id);
CREATE INDEX ix_transfers_author_id ON transfers (author_id);
CREATE INDEX ix_transfers_credit_account_id ON transfers (credit_account_id);
CREATE INDEX ix_transfers_debit_account_id ON transfers (debit_account_id);
CREATE TRIGGER answers_no_update BEFORE UPDATE ON answers BEGIN SELECT RAISE(ABORT, 'answers is append-only'); END;
CREATE TRIGGER answers_no_delete BEFORE DELETE ON answers BEGIN SELECT RAISE(ABORT, 'answers is append-only'); END;
CREATE TRIGGER attributions_no_update BEFORE UPDATE ON attributions BEGIN SELECT RAISE(ABORT, 'attributions is append-only'); END;
CREATE TRIGGER attributions_no_delete BEFORE DELETE ON attributions BEGIN SELECT RAISE(ABORT, 'attributions is append-only'); END;
CREATE TRIGGER citations_no_update BEFORE UPDATE ON citations BEGIN SELECT RAISE(ABORT, 'citations is append-only'); END;
CREATE TRIGGER citations_no_delete BEFORE DELETE ON citations BEGIN SELECT RAISE(ABORT, 'citations is append-only'); END;
CREATE TRIGGER context_entries_no_update BEFORE UPDATE ON context_entries BEGIN SELECT RAISE(ABORT, 'context_entries is append-only'); END;
CREATE TRIGGER context_entries_no_delete BEFORE DELETE ON context_entries BEGIN SELECT RAISE(ABORT, 'context_entries is append-only'); END;
CREATE TRIGGER entries_no_update BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'entries is append-only'); END;
CREATE TRIGGER entries_no_delete BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'entries is append-only'); END;
CREATE TRIGGER entry_seals_no_update BEFORE UPDATE ON entry_seals BEGIN SELECT RAISE(ABORT, 'entry_seals is append-only'); END;
CREATE TRIGGER entry_seals_no_delete BEFORE DELETE ON entry_seals BEGIN SELECT RAISE(ABORT, 'entry_seals is append-only'); END;
CREATE TRIGGER pair_rows_no_update BEFORE UPDATE ON pair_rows BEGIN SELECT RAISE(ABORT, 'pair_rows is append-only'); END;
CREATE TRIGGER pair_rows_no_delete BEFORE DELETE ON pair_rows BEGIN SELECT RAISE(ABORT, 'pair_rows is append-only'); END;
CREATE TRIGGER policies_no_update BEFORE UPDATE ON policies BEGIN SELECT RAISE(ABORT, 'policies is append-only'); END;
CREATE TRIGGER policies_no_delete BEFORE DELETE ON policies BEGIN SELECT RAISE(ABORT, 'policies is append-only'); END;
CREATE TRIGGER segments_no_update BEFORE UPDATE ON segments BEGIN SELECT RAISE(ABORT, 'segments is append-only'); END;
CREATE TRIGGER segments_no_delete BEFORE DELETE ON segments BEGIN SELECT RAISE(ABORT, 'segments is append-only'); END;
CREATE TRIGGER signals_no_update BEFORE UPDATE ON signals BEGIN SELECT RAISE(ABORT, 'signals is append-only'); END;
CREATE TRIGGER signals_no_delete BEFORE DELETE ON signals BEGIN SELECT RAISE(ABORT, 'signals is append-only'); END;
CREATE TRIGGER support_members_no_update BEFORE UPDATE ON support_members BEGIN SELECT RAISE(ABORT, 'support_members is append-only'); END;
CREATE TRIGGER support_members_no_delete BEFORE DELETE ON support_members BEGIN SELECT RAISE(ABORT, 'support_members is append-only'); END;
CREATE TRIGGER support_sets_no_update BEFORE UPDATE ON support_sets BEGIN SELECT RAISE(ABORT, 'support_sets is append-only'); END;
CREATE TRIGGER support_sets_no_delete BEFORE DELETE ON support_sets BEGIN SELECT RAISE(ABORT, 'support_sets is append-only'); END;
CREATE TRIGGER transfers_no_update BEFORE UPDATE ON transfers BEGIN SELECT RAISE(ABORT, 'transfers is append-only'); END;
CREATE TRIGGER transfers_no_delete BEFORE DELETE ON transfers BEGIN SELECT RAISE(ABORT, 'transfers is append-only'); END;
CREATE TRIGGER statements_identity BEFORE UPDATE ON statements WHEN NEW."id" IS NOT OLD."id" OR NEW."scope" IS NOT OLD."scope" OR NEW."hash" IS NOT OLD."hash" BEGIN SELECT RAISE(ABORT, 'statements: identity never changes'); END;
CREATE TRIGGER statements_no_delete BEFORE DELETE ON statements BEGIN SELECT RAISE(ABORT, 'statements: rows are kept, withdraw instead'); END;
CREATE TRIGGER occurrences_identity BEFORE UPDATE ON occurrences WHEN NEW."id" IS NOT OLD."id" OR NEW."statement_id" IS NOT OLD."statement_id" OR NEW."work_id" IS NOT OLD."work_id" OR NEW."start" IS NOT OLD."start" OR NEW."end" IS NOT OLD."end" OR NEW."registered_us" IS NOT OLD."registered_us" BEGIN SELECT RAISE(ABORT, 'occurrences: identity never changes'); END;
CREATE TRIGGER occurrences_no_delete BEFORE DELETE ON occurrences BEGIN SELECT RAISE(ABORT, 'occurrences: rows are kept, withdraw instead'); END;
CREATE TRIGGER statements_text BEFORE UPDATE ON statements WHEN NEW.text IS NOT NULL AND NEW.text IS NOT OLD.text BEGIN SELECT RAISE(ABORT, 'statements: text never changes'); END;
CREATE TRIGGER entry_seals_whole BEFORE INSERT ON entry_seals WHEN (SELECT count(*) FROM transfers WHERE entry_seq = NEW.entry_seq) <> NEW.transfer_count BEGIN SELECT RAISE(ABORT, 'entry_seals: the entry lacks transfers'); END;
CREATE TRIGGER transfers_open BEFORE INSERT ON transfers WHEN EXISTS (SELECT 1 FROM entry_seals WHERE entry_seq = NEW.entry_seq) BEGIN SELECT RAISE(ABORT, 'transfers: the entry is sealed'); END;
COMMIT;
