import { sql, type Kysely } from 'kysely'

/** The transparency log: a Merkle tree over every event, its keys and signed heads, and the witnesses that cosign them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTree(db)
  await createHeads(db)
}

async function createTree(db: Kysely<unknown>): Promise<void> {
  // position: of the last event in the tree. checked_size, checked_position: how far the present comparison with the log has come.
  await sql`
    create table app.log_tree (
      one              boolean primary key default true check (one),
      origin           text collate "C" not null,
      size             bigint not null default 0,
      position         bigint not null default 0,
      checked_size     bigint not null default 0,
      checked_position bigint not null default 0,
      checked_at       timestamptz,
      fault            text,
      fault_at         timestamptz
    )`.execute(db)
  await sql`
    create table app.log_tiles (
      level  smallint not null,
      index  bigint not null,
      hashes bytea not null check (length(hashes) between 32 and 8192 and length(hashes) % 32 = 0),
      primary key (level, index)
    )`.execute(db)
  // Hashes do not compress.
  await sql`alter table app.log_tiles alter column hashes set storage external`.execute(db)
  await sql`create table app.log_leaves (event_id uuid primary key, index bigint not null)`.execute(db)
}

async function createHeads(db: Kysely<unknown>): Promise<void> {
  // secret: null for keys from the environment. signs_until: null until the key is replaced.
  await sql`
    create table app.log_keys (
      verifier_key text collate "C" primary key,
      secret       bytea,
      created_at   timestamptz not null default now(),
      signs_until  timestamptz
    )`.execute(db)
  // signed_at: when this head was signed first. current_at: when it was last found to be the newest.
  await sql`
    create table app.log_heads (
      size       bigint primary key,
      root       bytea not null,
      note       text not null,
      signed_at  timestamptz not null default now(),
      current_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    create table app.log_witnesses (
      name          text collate "C" primary key,
      size          bigint not null default 0,
      cosigned_at   timestamptz,
      failing_since timestamptz,
      error         text
    )`.execute(db)
  await sql`
    create table app.log_cosignatures (
      size        bigint not null references app.log_heads,
      witness     text collate "C" not null,
      line        text not null,
      received_at timestamptz not null default now(),
      primary key (size, witness)
    )`.execute(db)
}
