/** Names, files, labels, views and reviews of campaigns, beside their events. */
export const campaigns = `
  -- Impressions that bidders sampled, for the rule lab (fine print 103): values of filters without personal data. The newest
  -- thousand of a white-label stay, for a week. Without a white-label they came with the service token, and count for all.
  create table app.bid_samples (
    id bigint generated always as identity primary key,
    whitelabel_id text collate "C",
    received_at timestamptz default clock_timestamp() not null,
    facts jsonb not null
  );
  create index bid_samples_whitelabel_id_id_idx on app.bid_samples (whitelabel_id, id);

  -- Blobs without a file, until they are removed from the store.
  create table app.blob_garbage (
    sha256 text collate "C" primary key
  );

  create table app.campaign_names (
    space_id text collate "C" not null,
    name_key text not null,
    campaign_id text collate "C" not null,
    reserved_at timestamptz default now() not null,
    primary key (space_id, name_key)
  );

  -- A process of the previous version does not claim files that it saves: files of its last day are kept.
  create table app.file_purge (
    since timestamptz not null
  );

  create table app.files (
    id text collate "C" primary key,
    space_id text collate "C" not null,
    sha256 text collate "C" not null,
    bytes integer not null,
    content_type text not null,
    width integer,
    height integer,
    name text not null,
    created_by text collate "C" not null,
    created_at timestamptz default now() not null,
    -- seconds: length of audio and video. entries: path → {sha256, bytes, content_type} of an unpacked HTML banner.
    seconds double precision,
    entries json,
    warnings json default '[]'::json not null,
    -- A row is inserted before its bytes are written; stored is set afterwards. Claimed: a save named it, so the log refers to it
    -- forever.
    disk_bytes bigint default 0 not null,
    disk_files integer default 1 not null,
    stored boolean default true not null,
    claimed_at timestamptz,
    reviewed_at timestamptz
  );
  create index files_sha256 on app.files (sha256);
  create index files_space_id_idx on app.files (space_id);
  create index files_unclaimed on app.files (created_at) where (claimed_at is null) or (not stored);

  create table app.file_blobs (
    file_id text collate "C" not null references app.files(id) on delete cascade,
    sha256 text collate "C" not null,
    primary key (file_id, sha256)
  );
  create index file_blobs_sha256_idx on app.file_blobs (sha256);

  create table app.file_grants (
    file_id text collate "C" not null references app.files(id),
    space_id text collate "C" not null,
    primary key (file_id, space_id)
  );

  create table app.labels (
    id text collate "C" primary key,
    space_id text collate "C" not null,
    name text not null,
    name_key text collate "C" not null,
    color text not null check (color in ('gray', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'violet', 'pink')),
    -- User who created it; null after an erasure.
    person_id text collate "C" references identity.people(id) on delete set null,
    created_at timestamptz not null,
    unique (space_id, name_key)
  );
  create index labels_person_id_idx on app.labels (person_id);

  create table app.campaign_labels (
    campaign_id text collate "C" not null,
    label_id text collate "C" not null references app.labels(id) on delete cascade,
    -- User who labelled the campaign; null after an erasure.
    person_id text collate "C" references identity.people(id) on delete set null,
    labelled_at timestamptz not null,
    primary key (campaign_id, label_id)
  );
  create index campaign_labels_label_id_campaign_id_idx on app.campaign_labels (label_id, campaign_id);
  create index campaign_labels_person_id_idx on app.campaign_labels (person_id);

  create table app.list_views (
    id text collate "C" primary key,
    person_id text collate "C" not null references identity.people(id) on delete cascade,
    list text not null check (list in ('account', 'all')),
    -- The account of the list; of the list of all accounts the white-label.
    place_id text collate "C" not null,
    shared boolean not null,
    name text not null,
    state json not null,
    version integer not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    -- A removed view can be restored until it is purged.
    removed_at timestamptz
  );
  create index list_views_person_id_idx on app.list_views (person_id);
  create index list_views_place_id_list_idx on app.list_views (place_id, list) where removed_at is null;
  create index list_views_removed_at_idx on app.list_views (removed_at) where removed_at is not null;

  create table app.list_view_defaults (
    person_id text collate "C" not null references identity.people(id) on delete cascade,
    list text not null check (list in ('account', 'all')),
    place_id text collate "C" not null,
    view_id text collate "C" not null references app.list_views(id) on delete cascade,
    primary key (person_id, list, place_id)
  );
  create index list_view_defaults_view_id_idx on app.list_view_defaults (view_id);

  -- Audio, video and HTML banners, and requests of advertisers for missing apps.
  create table app.resource_requests (
    id text collate "C" primary key,
    campaign_id text collate "C" not null,
    space_id text collate "C" not null,
    name text not null,
    requested_by text collate "C" not null,
    requested_at timestamptz not null
  );

  create table app.review_assignments (
    campaign_id text collate "C" primary key,
    whitelabel_id text collate "C" not null,
    moderation_start_at text collate "C" not null,
    person_id text collate "C",
    changed_at timestamptz not null
  );
  create index review_assignments_changed_at_idx on app.review_assignments (changed_at);

  create table app.review_holds (
    campaign_id text collate "C" primary key,
    whitelabel_id text collate "C" not null,
    moderation_start_at text collate "C" not null,
    person_id text collate "C" not null,
    state text not null check (state in ('held', 'released', 'decided')),
    since timestamptz not null,
    until timestamptz not null,
    changed_at timestamptz not null
  );
  create index review_holds_changed_at_idx on app.review_holds (changed_at);

  -- Changes of campaigns that wait for their time, and those that ended lately (fine print 100).
  create table app.scheduled_changes (
    id text collate "C" primary key,
    person_id text collate "C" not null references identity.people(id) on delete cascade,
    space_id text collate "C" not null,
    whitelabel_id text collate "C" not null,
    campaign_id text collate "C" not null,
    -- Group of several campaigns, or of a change and its way back.
    group_id text collate "C",
    act jsonb not null,
    due_at timestamptz not null,
    note text not null,
    state text not null,
    version integer not null,
    created_at timestamptz not null,
    ended_at timestamptz,
    -- Revision of the campaign, once it was carried out.
    revision integer,
    -- Why it was refused.
    rejection jsonb
  );
  create index scheduled_changes_campaign_id_due_at_idx on app.scheduled_changes (campaign_id, due_at);
  create index scheduled_changes_due_at_idx on app.scheduled_changes (due_at) where state in ('waiting', 'under_way');
  create index scheduled_changes_ended_at_idx on app.scheduled_changes (ended_at) where ended_at is not null;
  create index scheduled_changes_person_id_idx on app.scheduled_changes (person_id);
  create index scheduled_changes_space_id_due_at_idx on app.scheduled_changes (space_id, due_at);

  create table app.second_look_progress (
    id boolean default true primary key check (id),
    position bigint not null
  );

  create table app.second_looks (
    campaign_id text collate "C" not null,
    -- The revision of the approval.
    approval integer not null,
    whitelabel_id text collate "C" not null,
    approver_id text collate "C" not null,
    approved_at timestamptz not null,
    state text not null check (state in ('open', 'agreed', 'disagreed', 'noted', 'expired')),
    -- The second moderator, once the outcome is known.
    person_id text collate "C",
    decided_at timestamptz,
    primary key (campaign_id, approval)
  );
  create index second_looks_approved_at_idx on app.second_looks (approved_at);
  create index second_looks_person_id_idx on app.second_looks (person_id) where person_id is not null;
  create index second_looks_whitelabel_id_approved_at_idx on app.second_looks (whitelabel_id, approved_at) where state = 'open';
  create index second_looks_whitelabel_id_decided_at_idx on app.second_looks (whitelabel_id, decided_at) where decided_at is not null;

  -- Lists of placements of a space or a campaign, as uploaded.
  create table app.whitelists (
    owner_kind text not null check (owner_kind in ('space', 'campaign')),
    owner_id text collate "C" not null,
    name text collate "C" not null,
    content bytea not null,
    sha256 text not null,
    created_by text not null,
    created_at timestamptz default now() not null,
    space_id text collate "C",
    primary key (owner_kind, owner_id, name)
  );
  create index whitelists_space_id_idx on app.whitelists (space_id);

  insert into app.file_purge (since) values (now());
  insert into app.second_look_progress (position) values (0);
`
