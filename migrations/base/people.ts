/** Users, their sign-in, sessions and secrets, and what waits for them: always in PostgreSQL, for every event store. */
export const people = `
  create function identity.end_sessions() returns trigger language plpgsql as $$
    begin
      insert into app.security_events (at, type, whitelabel_id, person_id, details, count)
      select now(), type, old.whitelabel_id, old.id, details, 1
      from (values ('password-changed', '{}'::json, new.password_hash is distinct from old.password_hash),
                   ('roles-changed', json_build_object('from', old.roles, 'to', new.roles), new.roles is distinct from old.roles)
           ) as change (type, details, happened)
      where happened;
      if new.password_hash is not distinct from old.password_hash and new.status_key = 5 and exists (
        select from identity.memberships where person_id = old.id and state = 'active')
      then
        update identity.session_families set revoked_at = now()
        where person_id = old.id and space_id is null and revoked_at is null;
        update identity.api_keys set revoked_at = now() where person_id = old.id and space_id is null and revoked_at is null;
        return new;
      end if;
      new.token_version := old.token_version + 1;
      update identity.session_families set revoked_at = now() where person_id = old.id and revoked_at is null;
      return new;
    end
  $$;

  create function identity.end_keys(person text) returns void language sql as $$
    update identity.api_keys set revoked_at = now() where person_id = person and revoked_at is null;
    update identity.mail_keys set used_at = now() where person_id = person and purpose = 'reset' and used_at is null;
    insert into identity.key_ends (person_id, ended_at) select id, clock_timestamp() from identity.people where id = person
    on conflict (person_id) do update set ended_at = excluded.ended_at;
  $$;

  create function identity.end_keys_of_person() returns trigger language plpgsql as $$
    begin
      perform identity.end_keys(new.id);
      return null;
    end
  $$;

  create function identity.end_keys_of_factor() returns trigger language plpgsql as $$
    begin
      perform identity.end_keys(coalesce(new.person_id, old.person_id));
      return null;
    end
  $$;

  create function identity.end_keys_of_whitelabel() returns trigger language plpgsql as $$
    begin
      perform identity.end_keys(id) from identity.people where whitelabel_id = new.whitelabel_id;
      return null;
    end
  $$;

  create function identity.end_membership() returns trigger language plpgsql as $$
    begin
      if new.state <> 'active' then
        update identity.session_families set space_id = null where person_id = old.person_id and space_id = old.space_id;
      end if;
      update identity.api_keys set revoked_at = now()
      where person_id = old.person_id and space_id = old.space_id and revoked_at is null;
      if new.roles is distinct from old.roles then
        insert into app.security_events (at, type, whitelabel_id, person_id, details, count)
        select now(), 'roles-changed', whitelabel_id, id, json_build_object('from', old.roles, 'to', new.roles, 'space', old.space_id), 1
        from identity.people where id = old.person_id;
      end if;
      return null;
    end
  $$;

  create function identity.end_account() returns trigger language plpgsql as $$
    begin
      update identity.session_families set space_id = null where space_id = new.space_id;
      update identity.api_keys set revoked_at = now() where space_id = new.space_id and revoked_at is null;
      return null;
    end
  $$;

  -- Names that accounts are about to take: the read model shows them a moment later (fine print 96).
  create table app.account_names (
    whitelabel_id text collate "C" not null,
    name_key text not null,
    space_id text collate "C" not null,
    reserved_at timestamptz default now() not null,
    primary key (whitelabel_id, name_key)
  );

  create table app.chats (
    person_id text collate "C" primary key,
    whitelabel_id text collate "C" not null,
    -- Number of the newest message; messages are numbered from 1.
    messages integer default 0 not null,
    last_at timestamptz not null,
    last_text text not null,
    -- Whether the newest message is from the user, and so waits for an answer.
    waiting boolean not null,
    -- Number of the last message that each side has read.
    read_by_person integer default 0 not null,
    read_by_staff integer default 0 not null
  );
  create index chats_whitelabel_id_waiting_last_at_person_id_idx on app.chats (whitelabel_id, waiting desc, last_at desc, person_id);

  create table app.chat_messages (
    person_id text collate "C" not null references app.chats(person_id) on delete cascade,
    number integer not null,
    -- Author: the person, or a user of the staff.
    author_id text collate "C" not null,
    from_staff boolean not null,
    text text not null,
    at timestamptz default now() not null,
    primary key (person_id, number)
  );

  -- First-run guides that their users have closed.
  create table app.closed_guides (
    person_id text collate "C" primary key,
    closed_at timestamptz default now() not null
  );

  -- A sign-up waits here until the policies carry it out: whether the address has an account then changes nothing about the answer,
  -- nor about its timing. Rows of account/add name their person, whose record exists already.
  create table app.registration_requests (
    id text collate "C" primary key,
    whitelabel_id text collate "C" not null,
    person_id text collate "C",
    context jsonb not null,
    form jsonb not null,
    received_at timestamptz default now() not null
  );

  -- Choices of a white-label; a white-label without a row has the defaults.
  create table app.whitelabel_settings (
    whitelabel_id text collate "C" primary key,
    own_approval boolean default false not null
  );

  -- The newest suspension or restoration of an account that its users have, by the revision of the account.
  create table identity.account_suspensions (
    space_id text collate "C" primary key,
    suspended boolean not null,
    revision integer not null
  );
  create trigger account_suspensions_end after insert or update on identity.account_suspensions
    for each row when (new.suspended)
    execute function identity.end_account();

  -- Challenges are signed values: only those that were answered are stored, until they expire.
  create table identity.answered_challenges (
    challenge_hash text collate "C" primary key,
    expires_at timestamptz not null
  );
  create index answered_challenges_expires_at_idx on identity.answered_challenges (expires_at);

  -- Legal names and tax numbers as they were when the document was issued: personal data, kept as long as the law asks for.
  create table identity.invoice_parties (
    document_id text collate "C" primary key,
    space_id text collate "C" not null,
    parties jsonb not null,
    created_at timestamptz default now() not null
  );

  create table identity.legal_entities (
    space_id text collate "C" primary key,
    legal_entity_name text not null,
    tin_number text not null,
    updated_at timestamptz default now() not null,
    address_line_1 text default '' not null,
    address_line_2 text default '' not null,
    city text default '' not null,
    postal_code text default '' not null,
    country text default '' not null,
    invoice_email text default '' not null
  );

  create table identity.people (
    id text collate "C" primary key,
    whitelabel_id text collate "C" not null,
    home_space_id text collate "C" not null,
    roles text[] not null,
    first_name text not null,
    last_name text not null,
    email text not null check (email = lower(email)),
    phone text,
    password_hash text,
    token_version integer default 1 not null,
    created_at timestamptz default now() not null,
    demo boolean default false not null,
    -- status_key: 1 need verification, 2 approved and awaiting completion, 3 rejected, 5 active. type_key: 1 company, 2 individual.
    status_key smallint default 5 not null,
    suspended boolean default false not null,
    company_name text default '' not null,
    country text,
    language_key smallint default 1 not null,
    type_key smallint default 1 not null,
    picture_id text collate "C",
    settings jsonb default '{}' not null,
    updated_at timestamptz default now() not null,
    moderator_comment text,
    -- Stored: a search compares a text many times.
    search_text text generated always as (app.person_text(first_name, last_name, company_name, email)) stored,
    deactivated boolean default false not null,
    rights jsonb default '[]' not null,
    unique (whitelabel_id, email)
  );
  create index people_home on identity.people (home_space_id);
  create index people_home_space_id_idx on identity.people (home_space_id);
  create index people_id_idx on identity.people (id) where status_key = 1;
  create index people_screened on identity.people (whitelabel_id, status_key) where status_key <> 5;
  create index people_text on identity.people using gin (search_text gin_trgm_ops) where 'USER_OWNER' = any (roles);
  create trigger people_end_keys after update on identity.people
    for each row when (new.token_version is distinct from old.token_version)
    execute function identity.end_keys_of_person();
  create trigger people_end_sessions before update of password_hash, roles, suspended, deactivated, status_key on identity.people
    for each row when ((new.password_hash is distinct from old.password_hash) or (new.roles is distinct from old.roles)
      or (new.suspended and (not old.suspended)) or (new.deactivated and (not old.deactivated))
      or ((new.status_key <> 5) and (old.status_key = 5)))
    execute function identity.end_sessions();

  create table identity.api_keys (
    id text collate "C" primary key,
    person_id text collate "C" not null references identity.people(id) on delete cascade,
    name text not null,
    hint text not null,
    secret_hash text collate "C" not null unique,
    scopes text[] not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    used_at timestamptz,
    revoked_at timestamptz,
    replaced_by text collate "C" references identity.api_keys(id) on delete set null,
    replaced_at timestamptz,
    end_mailed_at timestamptz,
    space_id text collate "C"
  );
  create index api_keys_expires_at_idx on identity.api_keys (expires_at)
    where (revoked_at is null) and (replaced_at is null) and (end_mailed_at is null);
  create index api_keys_person_id_idx on identity.api_keys (person_id);
  create index api_keys_replaced_by_idx on identity.api_keys (replaced_by) where replaced_by is not null;
  create index api_keys_space_id_idx on identity.api_keys (space_id) where space_id is not null;

  create table identity.challenges (
    token_hash text collate "C" primary key,
    person_id text collate "C" not null references identity.people(id) on delete cascade,
    token_version integer not null,
    expires_at timestamptz not null,
    attempts integer default 0 not null
  );
  create index challenges_expires_at_idx on identity.challenges (expires_at);

  -- When keys of a person ended last: a link that was asked for before is not mailed afterwards with a key that works.
  create table identity.key_ends (
    person_id text collate "C" primary key references identity.people(id) on delete cascade,
    ended_at timestamptz not null
  );

  create table identity.known_devices (
    person_id text collate "C" not null references identity.people(id) on delete cascade,
    device text collate "C" not null,
    last_at timestamptz not null,
    primary key (person_id, device)
  );

  create table identity.known_networks (
    person_id text collate "C" not null references identity.people(id) on delete cascade,
    network text collate "C" not null,
    last_at timestamptz not null,
    primary key (person_id, network)
  );

  -- Keys are created when their mail is sent, and stored as SHA-256 only.
  create table identity.mail_keys (
    key_hash text collate "C" primary key,
    person_id text collate "C" not null references identity.people(id) on delete cascade,
    purpose text not null check (purpose in ('confirmation', 'reset')),
    created_at timestamptz not null,
    expires_at timestamptz not null,
    used_at timestamptz
  );
  create index mail_keys_expires_at_idx on identity.mail_keys (expires_at);
  create index mail_keys_person_id_idx on identity.mail_keys (person_id);

  -- People of further accounts of their white-label, beside their home account (fine print 93). Sessions and API keys belong to one
  -- account each.
  -- state: as the account's stream says; pending until it says anything. Names: as the inviter entered them, shown until the person
  -- accepts. invited_at: of the last mail.
  create table identity.memberships (
    person_id text collate "C" not null references identity.people(id) on delete cascade,
    space_id text collate "C" not null,
    state text default 'pending' not null check (state in ('pending', 'invited', 'active', 'deactivated', 'withdrawn', 'erased')),
    roles text[] default '{}' not null,
    rights jsonb default '[]' not null,
    first_name text default '' not null,
    last_name text default '' not null,
    invited_by text collate "C",
    invited_at timestamptz default now() not null,
    joined_at timestamptz,
    primary key (person_id, space_id)
  );
  create index memberships_space_id_idx on identity.memberships (space_id);
  create trigger memberships_end after update on identity.memberships
    for each row when ((old.state = 'active') and ((new.state <> 'active') or (new.roles is distinct from old.roles)))
    execute function identity.end_membership();

  create table identity.passkeys (
    id text collate "C" primary key,
    person_id text collate "C" not null references identity.people(id) on delete cascade,
    rp_id text collate "C" not null,
    credential_id text collate "C" not null unique,
    public_key bytea not null,
    sign_count bigint not null,
    transports text[] not null,
    backed_up boolean not null,
    name text not null,
    created_at timestamptz not null,
    used_at timestamptz
  );
  create index passkeys_person_id_idx on identity.passkeys (person_id);
  create trigger passkeys_end_keys after insert or delete on identity.passkeys
    for each row
    execute function identity.end_keys_of_factor();

  -- The row of an erased user is kept without a key, so that no other key is created for the id.
  create table identity.person_keys (
    person_id text collate "C" primary key,
    key bytea check (octet_length(key) = any (array[32, 72])),
    created_at timestamptz default now() not null,
    erased_at timestamptz,
    check ((key is null) = (erased_at is not null))
  );

  create table identity.pictures (
    id text collate "C" primary key,
    person_id text collate "C" not null references identity.people(id) on delete cascade,
    content_type text not null,
    bytes bytea not null,
    created_at timestamptz default now() not null
  );
  create index pictures_person_id_idx on identity.pictures (person_id);

  create table identity.recovery_codes (
    person_id text collate "C" not null references identity.people(id) on delete cascade,
    code_hash text collate "C" not null,
    used_at timestamptz,
    primary key (person_id, code_hash)
  );
  create trigger recovery_codes_renewed after delete on identity.recovery_codes
    for each row
    execute function identity.end_keys_of_factor();

  -- A person whom the directory deleted is kept here, so that it can create them again.
  create table identity.scim_people (
    person_id text collate "C" primary key references identity.people(id) on delete cascade,
    external_id text,
    changed_at timestamptz not null,
    deleted_at timestamptz
  );

  create table identity.scim_tokens (
    id text collate "C" primary key,
    whitelabel_id text collate "C" not null,
    secret_hash text collate "C" not null unique,
    created_by text collate "C" not null,
    created_at timestamptz not null,
    last_used_at timestamptz
  );
  create index scim_tokens_whitelabel_id_idx on identity.scim_tokens (whitelabel_id);

  -- The secret is sealed under the person's own key: an erasure makes it unreadable.
  create table identity.second_factors (
    person_id text collate "C" primary key references identity.people(id) on delete cascade,
    secret text not null,
    created_at timestamptz not null,
    confirmed_at timestamptz,
    last_step bigint
  );
  create trigger second_factor_off after delete on identity.second_factors
    for each row when (old.confirmed_at is not null)
    execute function identity.end_keys_of_factor();
  create trigger second_factor_on after update of confirmed_at on identity.second_factors
    for each row when (new.confirmed_at is distinct from old.confirmed_at)
    execute function identity.end_keys_of_factor();

  -- Credentials of exchanges and bidders; of the secret only its SHA-256.
  create table identity.service_credentials (
    id text collate "C" primary key,
    whitelabel_id text collate "C" not null,
    name text not null,
    kind text not null check (kind in ('exchange', 'bidder')),
    exchange text,
    secret_hash text collate "C" not null unique,
    created_by text collate "C" not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    revoked_at timestamptz,
    replaced_by text collate "C" references identity.service_credentials(id) on delete set null,
    replaced_at timestamptz,
    end_mailed_at timestamptz,
    check ((exchange is not null) = (kind = 'exchange'))
  );
  create index service_credentials_expires_at_idx on identity.service_credentials (expires_at)
    where (revoked_at is null) and (replaced_at is null) and (end_mailed_at is null);
  create index service_credentials_replaced_by_idx on identity.service_credentials (replaced_by) where replaced_by is not null;
  create index service_credentials_whitelabel_id_idx on identity.service_credentials (whitelabel_id);

  -- expires_at: when the newest refresh token expires; never later than 90 days after started_at.
  create table identity.session_families (
    id text collate "C" primary key,
    person_id text collate "C" not null references identity.people(id) on delete cascade,
    started_at timestamptz not null,
    expires_at timestamptz not null,
    revoked_at timestamptz,
    user_agent text,
    network text,
    last_used_at timestamptz,
    -- Null for sessions of before: their next call that needs a proof asks for one.
    proved_at timestamptz,
    in_cookie boolean default false not null,
    -- Null: the home account. Staff who act in an account have null too, since their rights come from home.
    space_id text collate "C"
  );
  create index session_families_expires_at_idx on identity.session_families (expires_at);
  create index session_families_person_id_idx on identity.session_families (person_id);
  create index session_families_space_id_idx on identity.session_families (space_id) where space_id is not null;

  create table identity.sessions (
    token_hash text collate "C" primary key,
    family text collate "C" not null,
    person_id text collate "C" not null references identity.people(id) on delete cascade,
    space_id text collate "C" not null,
    expires_at timestamptz not null,
    used_at timestamptz
  );
  create index sessions_expires_at_idx on identity.sessions (expires_at);
  create index sessions_family_idx on identity.sessions (family);

  create table identity.sign_on_providers (
    id text collate "C" primary key,
    whitelabel_id text collate "C" not null,
    name text not null,
    issuer text not null,
    client_id text not null,
    client_secret text,
    scopes text[] not null,
    trusts_addresses boolean not null,
    default_space_id text collate "C",
    default_roles text[] not null,
    role_claim text,
    role_mapping jsonb not null,
    enabled boolean not null,
    created_by text collate "C" not null,
    created_at timestamptz not null,
    changed_at timestamptz not null
  );
  create index sign_on_providers_whitelabel_id_idx on identity.sign_on_providers (whitelabel_id);

  -- Sign-ins under way: hashes of what the browser and the address hold, each used once.
  create table identity.sign_on_attempts (
    state_hash text collate "C" primary key,
    browser_hash text collate "C" not null,
    provider_id text collate "C" not null references identity.sign_on_providers(id) on delete cascade,
    return_to text not null,
    expires_at timestamptz not null
  );
  create index sign_on_attempts_expires_at_idx on identity.sign_on_attempts (expires_at);
  create index sign_on_attempts_provider_id_idx on identity.sign_on_attempts (provider_id);

  create table identity.sign_on_codes (
    code_hash text collate "C" primary key,
    browser_hash text collate "C" not null,
    provider_id text collate "C" not null references identity.sign_on_providers(id) on delete cascade,
    person_id text collate "C" not null references identity.people(id) on delete cascade,
    return_to text not null,
    sign_out text,
    expires_at timestamptz not null,
    provider_session text collate "C"
  );
  create index sign_on_codes_expires_at_idx on identity.sign_on_codes (expires_at);
  create index sign_on_codes_person_id_idx on identity.sign_on_codes (person_id);
  create index sign_on_codes_provider_id_idx on identity.sign_on_codes (provider_id);

  create table identity.sign_on_domains (
    whitelabel_id text collate "C" not null,
    domain text collate "C" not null,
    provider_id text collate "C" not null references identity.sign_on_providers(id) on delete cascade,
    token text not null,
    verified_at timestamptz,
    password_allowed boolean not null,
    created_at timestamptz not null,
    primary key (whitelabel_id, domain)
  );
  create index sign_on_domains_provider_id_idx on identity.sign_on_domains (provider_id);

  create table identity.sign_on_links (
    provider_id text collate "C" not null references identity.sign_on_providers(id) on delete cascade,
    subject text collate "C" not null,
    person_id text collate "C" not null references identity.people(id) on delete cascade,
    created_at timestamptz not null,
    primary key (provider_id, subject),
    unique (provider_id, person_id)
  );
  create index sign_on_links_person_id_idx on identity.sign_on_links (person_id);

  -- Facts about the provider that the end of a session needs; sealed.
  create table identity.sign_on_sessions (
    family text collate "C" primary key references identity.session_families(id) on delete cascade,
    provider_id text collate "C" not null references identity.sign_on_providers(id) on delete cascade,
    sign_out text,
    provider_session text collate "C"
  );
  create index sign_on_sessions_provider_id_idx on identity.sign_on_sessions (provider_id);

  -- White-labels whose people cannot sign in. A copy of what the log says, kept by a policy, because sign-in and sessions are
  -- decided in this schema, also while no read model is there.
  create table identity.suspended_whitelabels (
    whitelabel_id text collate "C" primary key,
    since timestamptz default now() not null
  );
  create trigger suspended_whitelabel_keys after insert on identity.suspended_whitelabels
    for each row
    execute function identity.end_keys_of_whitelabel();

  -- People who are kept out of their account, and accounts whose people may lag behind a command.
  -- revision: of the account's stream, up to which the records of its people are in line. asked_at: of a command that may have been
  -- recorded since.
  create table identity.teams (
    space_id text collate "C" primary key,
    revision bigint default '-1'::integer not null,
    asked_at timestamptz
  );
  create index teams_asked_at_idx on identity.teams (asked_at) where asked_at is not null;

  create view identity.account_access as
  select p.id as person_id,
      p.home_space_id as space_id,
      true as home,
      p.roles,
      p.rights,
      p.created_at as since
     from identity.people p
    where not p.suspended and not p.deactivated
  union all
   select m.person_id,
      m.space_id,
      false as home,
      m.roles,
      m.rights,
      m.joined_at as since
     from identity.memberships m
    where m.state = 'active'::text and not (exists ( select
             from identity.account_suspensions s
            where s.space_id = m.space_id and s.suspended));
`
