/**
 * Every table as the driver reads and writes it. Generated from the migrations: after a new one run "npm run db:types". The views of
 * read models come from their declarations (`projections/read-models.ts`).
 */
import type { ColumnType } from 'kysely'

export type Generated<T> =
  T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>

export type Int8 = ColumnType<bigint, bigint | number | string, bigint | number | string>

export type Json = JsonValue

export type JsonArray = JsonValue[]

export type JsonObject = {
  [x: string]: JsonValue | undefined
}

export type JsonPrimitive = boolean | number | string | null

export type JsonValue = JsonArray | JsonObject | JsonPrimitive

export type Timestamp = ColumnType<Date, Date | string, Date | string>

declare const sealed: unique symbol
/** A text as a sealed column stores it (fine print 94). */
export type Sealed = { readonly [sealed]: 'text' }
/** JSON as a sealed column stores it. */
export type SealedJson = { readonly [sealed]: 'json' }

export interface AppAccountNames {
  name_key: string
  reserved_at: Generated<Timestamp>
  space_id: string
  whitelabel_id: string
}

export interface AppAnswers {
  answer: SealedJson
  body_hash: string
  created_at: Generated<Timestamp>
  key: string
  route: string
  user_id: string
}

export interface AppAudienceClaims {
  audience_id: string
  claim_id: string
  claimed_at: Generated<Timestamp>
}

export interface AppAudienceKeys {
  created_at: Generated<Timestamp>
  key: Buffer
  whitelabel_id: string
}

export interface AppAudienceMembers {
  audience_id: string
  bucket: number
  members: Buffer
  version: number
}

export interface AppAudienceNames {
  audience_id: string
  leaving_at: Timestamp | null
  name_key: string
  reserved_at: Generated<Timestamp>
  space_id: string
}

export interface AppAudienceParts {
  bucket: number
  members: Buffer
  part: number
  upload_id: string
}

export interface AppAudienceRejectedRows {
  part: number
  rows: Json
  upload_id: string
}

export interface AppAudienceResourceRequests {
  id: string
  name: string
  requested_at: Timestamp
  requested_by: string
  resource_id: string
  space_id: string
}

export interface AppAudienceSets {
  audience_id: string
  changed_at: Generated<Timestamp>
  computed_at: Generated<Timestamp>
  etag: string
  members: number
  rules: Json | null
  seen_until: Generated<Timestamp>
  space_id: string
  version: number
  whitelabel_id: string
}

export interface AppAudienceSizes {
  at: Timestamp
  audience_id: string
  members: number
  version: number
}

export interface AppAudienceUploads {
  alive_at: Generated<Timestamp>
  audience_id: string
  context: Json | null
  id: string
  merged: Generated<number>
  name: string | null
  reasons: Generated<Json>
  received_at: Timestamp
  rejected: Generated<number>
  rows: Generated<number>
  space_id: string
  state: 'receiving' | 'received' | 'stored' | 'recorded' | 'failed'
  version: number | null
  whitelabel_id: string
}

export interface AppAuditWebhooks {
  created_at: Generated<Timestamp>
  created_by: string
  delivered_at: Timestamp | null
  description: string
  enabled: Generated<boolean>
  epoch: Generated<number>
  error: string | null
  failing_since: Timestamp | null
  filter: Json
  generation: Generated<number>
  id: string
  parked_at: Timestamp | null
  pending: Int8 | null
  position: Int8
  previous_until: Timestamp | null
  url: string
  whitelabel_id: string
}

export interface AppBidSamples {
  facts: Json
  id: Generated<Int8>
  received_at: Generated<Timestamp>
  whitelabel_id: string | null
}

export interface AppBlobGarbage {
  sha256: string
}

export interface AppCampaignLabels {
  campaign_id: string
  label_id: string
  labelled_at: Timestamp
  person_id: string | null
}

export interface AppCampaignNames {
  campaign_id: string
  name_key: string
  reserved_at: Generated<Timestamp>
  space_id: string
}

export interface AppCampaignSpend {
  billed: Int8
  campaign_id: string
  day: string
  overdelivered: Int8
}

export interface AppCampaignSpendTotals {
  billed: Int8
  campaign_id: string
  last_billed_until: Timestamp | null
  overdelivered: Int8
  updated_at: Generated<Timestamp>
}

export interface AppCards {
  added_by: string
  brand: string
  country: string | null
  created_at: Timestamp
  customer_id: string
  exp_month: number
  exp_year: number
  fingerprint: string
  funding: string | null
  holder_name: string | null
  id: string
  last4: string
  method_id: string
  provider: string
  removed_at: Timestamp | null
  space_id: string
  warned_at: Timestamp | null
}

export interface AppChargedHours {
  amount: Int8
  campaign_id: string
  first_settlement: number
  hour: Timestamp
  impressions: Int8 | null
  invoice_id: string | null
  last_settlement: number
  late: Generated<boolean>
  space_id: string
}

export interface AppChatMessages {
  at: Generated<Timestamp>
  author_id: string
  from_staff: boolean
  number: number
  person_id: string
  text: string
}

export interface AppChats {
  last_at: Timestamp
  last_text: string
  messages: Generated<number>
  person_id: string
  read_by_person: Generated<number>
  read_by_staff: Generated<number>
  waiting: boolean
  whitelabel_id: string
}

export interface AppClosedGuides {
  closed_at: Generated<Timestamp>
  person_id: string
}

export interface AppCondensedSettlements {
  condensed_at: Generated<Timestamp>
  number: number
  space_id: string
}

export interface AppDeliveryBatches {
  bidder: string | null
  body_hash: string
  fact_group: string | null
  facts: Json | null
  id: string
  overdelivered: Int8
  received_at: Generated<Timestamp>
  rows: number
  spent: Int8
}

export interface AppDeliveryCharges {
  amount: Int8
  batch_id: string
  campaign_id: string
  charged_at: Generated<Timestamp>
  hour: Timestamp
  impressions: Int8 | null
  settlement: number | null
  space_id: string
}

export interface AppErasures {
  count: Int8
}

export interface AppFileBlobs {
  file_id: string
  sha256: string
}

export interface AppFileGrants {
  file_id: string
  space_id: string
}

export interface AppFilePurge {
  since: Timestamp
}

export interface AppFiles {
  bytes: number
  claimed_at: Timestamp | null
  content_type: string
  created_at: Generated<Timestamp>
  created_by: string
  disk_bytes: Generated<Int8>
  disk_files: Generated<number>
  entries: Json | null
  frame_rate: number | null
  height: number | null
  id: string
  name: string
  reviewed_at: Timestamp | null
  seconds: number | null
  sha256: string
  space_id: string
  stored: Generated<boolean>
  warnings: Generated<Json>
  width: number | null
}

export interface AppInvoiceAttempts {
  complete: Generated<boolean>
  invoice_id: string
  issued_at: string
  taken: boolean
}

export interface AppInvoiceNumbers {
  document_id: string
  number: number
  whitelabel_id: string
  year: number
}

export interface AppInvoicePeriods {
  claimed_at: Generated<Timestamp>
  from_at: Timestamp
  invoice_id: string
  issued: Generated<boolean>
  space_id: string
  to_at: Timestamp
}

export interface AppJobs {
  created_at: Generated<Timestamp>
  dead_at: Timestamp | null
  error: string | null
  key: string
  kind: string
  leased_by: string | null
  leased_until: Timestamp | null
  payload: Json
  run_at: Generated<Timestamp>
  tries: Generated<number>
}

export interface AppLabels {
  color: 'gray' | 'red' | 'orange' | 'yellow' | 'green' | 'teal' | 'blue' | 'violet' | 'pink'
  created_at: Timestamp
  id: string
  name: string
  name_key: string
  person_id: string | null
  space_id: string
}

export interface AppLedgers {
  closed: Generated<boolean>
  month: string
  space_id: string
  spent: Int8
}

export interface AppListViewDefaults {
  list: 'account' | 'all'
  person_id: string
  place_id: string
  view_id: string
}

export interface AppListViews {
  created_at: Timestamp
  id: string
  list: 'account' | 'all'
  name: string
  person_id: string
  place_id: string
  removed_at: Timestamp | null
  shared: boolean
  state: Json
  updated_at: Timestamp
  version: number
}

export interface AppLogCosignatures {
  line: string
  received_at: Generated<Timestamp>
  size: Int8
  witness: string
}

export interface AppLogHeads {
  current_at: Generated<Timestamp>
  note: string
  root: Buffer
  signed_at: Generated<Timestamp>
  size: Int8
}

export interface AppLogKeys {
  created_at: Generated<Timestamp>
  secret: Buffer | null
  signs_until: Timestamp | null
  verifier_key: string
}

export interface AppLogLeaves {
  event_id: string
  index: Int8
}

export interface AppLogTiles {
  hashes: Buffer
  index: Int8
  level: number
}

export interface AppLogTree {
  checked_at: Timestamp | null
  checked_position: Generated<Int8>
  checked_size: Generated<Int8>
  fault: string | null
  fault_at: Timestamp | null
  one: Generated<boolean>
  origin: string
  position: Generated<Int8>
  size: Generated<Int8>
}

export interface AppLogWitnesses {
  cosigned_at: Timestamp | null
  error: string | null
  failing_since: Timestamp | null
  name: string
  size: Generated<Int8>
}

export interface AppMailCursor {
  name: string
  position: Int8
}

export interface AppMailedNotices {
  notices: string[]
  space_id: string
  version: number
}

export interface AppMails {
  address: Sealed | null
  created_at: Generated<Timestamp>
  data: SealedJson
  id: string
  person_id: string | null
  sent_at: Timestamp | null
  template: string
  uncertain: Generated<boolean>
  whitelabel_id: string
}

export interface AppNotificationChoices {
  in_app: boolean
  kind: string
  mail: 'now' | 'daily' | 'never'
  person_id: string
}

export interface AppNotifications {
  at: Timestamp
  cause: string
  changed_at: Generated<Timestamp>
  created_at: Timestamp
  data: Json
  digest_at: Timestamp | null
  id: Generated<Int8>
  in_app: boolean
  kind: string
  mailed_at: Timestamp | null
  person_id: string
  read_at: Timestamp | null
  space_id: string
  whitelabel_id: string
}

export interface AppPaymentCustomers {
  customer_id: string
  provider: string
  space_id: string
}

export interface AppPaymentTasks {
  card_id: string
  payment_id: string
  space_id: string
}

export interface AppPaymentWebhooks {
  id: string
  provider_payment_id: string | null
  received_at: Timestamp
  type: string
}

export interface AppPixelKeys {
  created_at: Generated<Timestamp>
  enabled: Generated<boolean>
  key: string
  origins: Generated<string[]>
  space_id: string
}

export interface AppProcesses {
  away: Json
  host: string
  id: string
  pid: number
  role: string
  seen_at: Generated<Timestamp>
  started_at: Generated<Timestamp>
  version: string
}

export interface AppRegistrationRequests {
  context: Json
  form: SealedJson
  id: string
  person_id: string | null
  received_at: Generated<Timestamp>
  whitelabel_id: string
}

export interface AppReportFiles {
  content: Buffer
  content_type: string
  filename: string
  made_at: Generated<Timestamp>
  mail_id: string
}

export interface AppReservations {
  expires_at: Timestamp
  id: string
  key: string
}

export interface AppResourceRequests {
  campaign_id: string
  id: string
  name: string
  requested_at: Timestamp
  requested_by: string
  space_id: string
}

export interface AppReviewAssignments {
  campaign_id: string
  changed_at: Timestamp
  moderation_start_at: string
  person_id: string | null
  whitelabel_id: string
}

export interface AppReviewHolds {
  campaign_id: string
  changed_at: Timestamp
  moderation_start_at: string
  person_id: string
  since: Timestamp
  state: 'held' | 'released' | 'decided'
  until: Timestamp
  whitelabel_id: string
}

export interface AppSavedReports {
  created_at: Timestamp
  format: string
  id: string
  name: string
  next_at: Timestamp | null
  person_id: string
  report: Json
  schedule: string
  schedule_day: number | null
  space_id: string
  whitelabel_id: string
}

export interface AppScheduledChanges {
  act: Json
  campaign_id: string
  created_at: Timestamp
  due_at: Timestamp
  ended_at: Timestamp | null
  group_id: string | null
  id: string
  note: string
  person_id: string
  rejection: Json | null
  revision: number | null
  space_id: string
  state: string
  version: number
  whitelabel_id: string
}

export interface AppSecondLookProgress {
  id: Generated<boolean>
  position: Int8
}

export interface AppSecondLooks {
  approval: number
  approved_at: Timestamp
  approver_id: string
  campaign_id: string
  decided_at: Timestamp | null
  person_id: string | null
  state: 'open' | 'agreed' | 'disagreed' | 'noted' | 'expired'
  whitelabel_id: string
}

export interface AppSecondPerson {
  command: Json | null
  counted: Int8
  created_at: Generated<Timestamp>
  day: string
  decided_at: Timestamp | null
  decided_by: string | null
  id: string
  kind: string
  space_id: string | null
  state: string
  user_id: string
  whitelabel_id: string
}

export interface AppSecrets {
  created_at: Generated<Timestamp>
  name: string
  value: string
}

export interface AppSecurityEvents {
  at: Timestamp
  client_network: string | null
  count: number
  details: Json
  id: Generated<Int8>
  person_id: string | null
  type: string
  whitelabel_id: string | null
}

export interface AppSecurityForwarding {
  destination: string
  position: Int8
}

export interface AppServerErrors {
  at: Timestamp
  host: string
  id: Generated<Int8>
  message: string
  pid: number
  request_id: string | null
  route: string | null
  status: number | null
}

export interface AppSettlements {
  made_at: Generated<Timestamp>
  month: string | null
  number: number
  recorded: Generated<boolean>
  space_id: string
}

export interface AppSigningKeys {
  key: string
  kid: string
  signs_from: Timestamp
  verifies_until: Timestamp | null
}

export interface AppTestGatewayPayments {
  amount: Int8
  currency: string
  disputes: Generated<Json>
  failure_code: string | null
  id: string
  method_id: string
  payment_id: string
  refunds: Generated<Json>
  status: string
}

export interface AppTestGatewaySetups {
  customer_id: string
  id: string
}

export interface AppTrackedDays {
  day: string
  events: number
  space_id: string
}

export interface AppTrackedEvents {
  campaign_id: string | null
  conversion: Json | null
  counted_in: string | null
  custom_parameters: Json
  device_model: string | null
  id: string
  mark: 'origin' | 'click' | null
  name: string
  received_at: Generated<Timestamp>
  source: 'pixel' | 'server'
  space_id: string
  time: Timestamp
  url: string | null
  value: number | null
  visitor: string
  whitelabel_id: string
}

export interface AppWhitelabelSettings {
  own_approval: Generated<boolean>
  whitelabel_id: string
}

export interface AppWhitelists {
  content: Buffer
  created_at: Generated<Timestamp>
  created_by: string
  name: string
  owner_id: string
  owner_kind: 'space' | 'campaign'
  sha256: string
  space_id: string | null
}

export interface EsDeadLetters {
  attempts: number
  error: Json
  first_failed_at: Generated<Timestamp>
  generation: number
  name: string
  position: Int8
  resolved_at: Timestamp | null
  stream_id: string
}

export interface EsEvents {
  data: Json
  event_id: string
  metadata: Json
  position: Generated<Int8>
  recorded_at: Generated<Timestamp>
  schema_version: number
  stream_id: string
  type: string
  version: number
}

export interface EsGenerations {
  name: string
  newest: number
}

export interface EsLeases {
  name: string
  owner: string
  until: Timestamp
}

export interface EsLogKind {
  kind: 'postgresql' | 'kurrentdb'
  only_one: Generated<boolean>
}

export interface EsSnapshots {
  shape: string
  snapshot: Json
  stream_id: string
  version: number
}

export interface EsSubscriptions {
  error: Json | null
  generation: number
  name: string
  owner: string | null
  parked: Generated<number>
  position: Generated<Int8>
  shard: Generated<number>
  shards: Generated<number>
  status: 'building' | 'live' | 'retired'
  tables: string[]
  updated_at: Generated<Timestamp>
  version: number
}

export interface FactsBatches {
  id: string
  stored_at: Generated<Timestamp>
}

export interface FactsDayGroups {
  bids: Int8 | null
  bounces: Int8 | null
  clicks: Int8 | null
  completed_views: Int8 | null
  conversions: Int8 | null
  conversions_unique_bid: Int8 | null
  day: string
  engagements: Int8 | null
  grouping: number
  impressions: Int8 | null
  key: number
  overdelivered: Int8 | null
  owner: number
  reach: Int8 | null
  spent: Int8 | null
  unconfirmed_conversions: Int8 | null
  unique_conversions: Int8 | null
}

export interface FactsDayTotals {
  bids: Int8 | null
  bounces: Int8 | null
  clicks: Int8 | null
  completed_views: Int8 | null
  conversions: Int8 | null
  conversions_unique_bid: Int8 | null
  day: string
  engagements: Int8 | null
  impressions: Int8 | null
  overdelivered: Int8 | null
  owner: number
  reach: Int8 | null
  rows_removed: Generated<boolean>
  spent: Int8 | null
  unconfirmed_conversions: Int8 | null
  unique_conversions: Int8 | null
  wide: number
}

export interface FactsHours {
  bids: Int8 | null
  bounces: Int8 | null
  clicks: Int8 | null
  completed_views: Int8 | null
  conversions: Int8 | null
  conversions_unique_bid: Int8 | null
  engagements: Int8 | null
  hour: Timestamp
  impressions: Int8 | null
  overdelivered: Int8 | null
  owner: number
  reach: Int8 | null
  spent: Int8 | null
  unconfirmed_conversions: Int8 | null
  unique_conversions: Int8 | null
}

export interface FactsNames {
  digest: Buffer
  id: Generated<number>
  name: string
}

export interface FactsOwners {
  campaign_id: string
  id: Generated<number>
  space_id: string
  whitelabel_id: string
}

export interface FactsRows {
  app_or_site: number
  bids: Int8 | null
  bounces: Int8 | null
  city: number
  clicks: Int8 | null
  completed_views: Int8 | null
  conversions: Int8 | null
  conversions_unique_bid: Int8 | null
  country: number
  creative_id: number
  device_type_key: number
  engagements: Int8 | null
  exchange: number
  hour: Timestamp
  impressions: Int8 | null
  os: number
  overdelivered: Int8 | null
  owner: number
  publisher: number
  reach: Int8 | null
  region: number
  size: number
  spent: Int8 | null
  unconfirmed_conversions: Int8 | null
  unique_conversions: Int8 | null
}

export interface FactsUnsummedDays {
  day: string
  summing: Generated<boolean>
}

export interface IdentityAccountSuspensions {
  revision: number
  space_id: string
  suspended: boolean
}

export interface IdentityAnsweredChallenges {
  challenge_hash: string
  expires_at: Timestamp
}

export interface IdentityApiKeys {
  created_at: Timestamp
  end_mailed_at: Timestamp | null
  expires_at: Timestamp
  hint: string
  id: string
  name: string
  person_id: string
  replaced_at: Timestamp | null
  replaced_by: string | null
  revoked_at: Timestamp | null
  scopes: string[]
  secret_hash: string
  space_id: string | null
  used_at: Timestamp | null
}

export interface IdentityChallenges {
  attempts: Generated<number>
  expires_at: Timestamp
  person_id: string
  token_hash: string
  token_version: number
}

export interface IdentityInvoiceParties {
  created_at: Generated<Timestamp>
  document_id: string
  parties: SealedJson
  space_id: string
}

export interface IdentityKeyEnds {
  ended_at: Timestamp
  person_id: string
}

export interface IdentityKnownDevices {
  device: string
  last_at: Timestamp
  person_id: string
}

export interface IdentityKnownNetworks {
  last_at: Timestamp
  network: string
  person_id: string
}

export interface IdentityLegalEntities {
  address_line_1: Generated<Sealed>
  address_line_2: Generated<Sealed>
  city: Generated<Sealed>
  country: Generated<string>
  invoice_email: Generated<Sealed>
  legal_entity_name: Sealed
  postal_code: Generated<Sealed>
  space_id: string
  tin_number: Sealed
  updated_at: Generated<Timestamp>
}

export interface IdentityMailKeys {
  created_at: Timestamp
  expires_at: Timestamp
  key_hash: string
  person_id: string
  purpose: 'confirmation' | 'reset'
  used_at: Timestamp | null
}

export interface IdentityMemberships {
  first_name: Generated<string>
  invited_at: Generated<Timestamp>
  invited_by: string | null
  joined_at: Timestamp | null
  last_name: Generated<string>
  person_id: string
  rights: Generated<Json>
  roles: Generated<string[]>
  space_id: string
  state: Generated<'pending' | 'invited' | 'active' | 'deactivated' | 'withdrawn' | 'erased'>
}

export interface IdentityPasskeys {
  backed_up: boolean
  created_at: Timestamp
  credential_id: string
  id: string
  name: string
  person_id: string
  public_key: Buffer
  rp_id: string
  sign_count: Int8
  transports: string[]
  used_at: Timestamp | null
}

export interface IdentityPeople {
  by_directory: Generated<boolean>
  company_name: Generated<string>
  country: string | null
  created_at: Generated<Timestamp>
  deactivated: Generated<boolean>
  demo: Generated<boolean>
  email: string
  first_name: string
  home_space_id: string
  id: string
  language_key: Generated<number>
  last_name: string
  made_by: Generated<string[]>
  moderator_comment: string | null
  password_hash: string | null
  phone: Sealed | null
  picture_id: string | null
  rights: Generated<Json>
  role_confirmed: Generated<boolean>
  roles: string[]
  search_text: Generated<string | null>
  settings: Generated<Json>
  status_key: Generated<number>
  suspended: Generated<boolean>
  token_version: Generated<number>
  type_key: Generated<number>
  updated_at: Generated<Timestamp>
  whitelabel_id: string
}

export interface IdentityPersonKeys {
  created_at: Generated<Timestamp>
  erased_at: Timestamp | null
  key: Buffer | null
  person_id: string
}

export interface IdentityPictures {
  bytes: Buffer
  content_type: string
  created_at: Generated<Timestamp>
  id: string
  person_id: string
}

export interface IdentityRecoveryCodes {
  code_hash: string
  person_id: string
  used_at: Timestamp | null
}

export interface IdentityScimPeople {
  changed_at: Timestamp
  deleted_at: Timestamp | null
  external_id: string | null
  person_id: string
}

export interface IdentityScimTokens {
  created_at: Timestamp
  created_by: string
  id: string
  last_used_at: Timestamp | null
  secret_hash: string
  whitelabel_id: string
}

export interface IdentitySecondFactors {
  confirmed_at: Timestamp | null
  created_at: Timestamp
  last_step: Int8 | null
  person_id: string
  secret: string
}

export interface IdentityServiceCredentials {
  created_at: Timestamp
  created_by: string
  end_mailed_at: Timestamp | null
  exchange: string | null
  expires_at: Timestamp
  id: string
  kind: 'exchange' | 'bidder'
  name: string
  replaced_at: Timestamp | null
  replaced_by: string | null
  revoked_at: Timestamp | null
  secret_hash: string
  whitelabel_id: string
}

export interface IdentitySessionFamilies {
  expires_at: Timestamp
  id: string
  in_cookie: Generated<boolean>
  last_used_at: Timestamp | null
  network: string | null
  person_id: string
  proved_at: Timestamp | null
  revoked_at: Timestamp | null
  space_id: string | null
  started_at: Timestamp
  user_agent: string | null
}

export interface IdentitySessions {
  expires_at: Timestamp
  family: string
  person_id: string
  space_id: string
  token_hash: string
  used_at: Timestamp | null
}

export interface IdentitySignOnAttempts {
  browser_hash: string
  expires_at: Timestamp
  provider_id: string
  return_to: string
  state_hash: string
}

export interface IdentitySignOnCodes {
  browser_hash: string
  code_hash: string
  expires_at: Timestamp
  person_id: string
  provider_id: string
  provider_session: string | null
  return_to: string
  sign_out: string | null
}

export interface IdentitySignOnDomains {
  approved: Generated<boolean>
  created_at: Timestamp
  domain: string
  makers: Generated<string[]>
  password_allowed: boolean
  provider_id: string
  token: string
  verified_at: Timestamp | null
  whitelabel_id: string
}

export interface IdentitySignOnLinks {
  created_at: Timestamp
  person_id: string
  provider_id: string
  subject: string
}

export interface IdentitySignOnProviders {
  changed_at: Timestamp
  client_id: string
  client_secret: string | null
  created_at: Timestamp
  created_by: string
  default_roles: string[]
  default_space_id: string | null
  enabled: boolean
  follows_claim: Generated<boolean>
  id: string
  issuer: string
  makers: Generated<string[]>
  name: string
  role_claim: string | null
  role_mapping: Json
  scopes: string[]
  trusts_addresses: boolean
  whitelabel_id: string
}

export interface IdentitySignOnSessions {
  family: string
  provider_id: string
  provider_session: string | null
  sign_out: string | null
}

export interface IdentitySuspendedWhitelabels {
  since: Generated<Timestamp>
  whitelabel_id: string
}

export interface IdentityTeams {
  asked_at: Timestamp | null
  revision: Generated<Int8>
  space_id: string
}

export interface Db {
  'app.account_names': AppAccountNames
  'app.answers': AppAnswers
  'app.audience_claims': AppAudienceClaims
  'app.audience_keys': AppAudienceKeys
  'app.audience_members': AppAudienceMembers
  'app.audience_names': AppAudienceNames
  'app.audience_parts': AppAudienceParts
  'app.audience_rejected_rows': AppAudienceRejectedRows
  'app.audience_resource_requests': AppAudienceResourceRequests
  'app.audience_sets': AppAudienceSets
  'app.audience_sizes': AppAudienceSizes
  'app.audience_uploads': AppAudienceUploads
  'app.audit_webhooks': AppAuditWebhooks
  'app.bid_samples': AppBidSamples
  'app.blob_garbage': AppBlobGarbage
  'app.campaign_labels': AppCampaignLabels
  'app.campaign_names': AppCampaignNames
  'app.campaign_spend': AppCampaignSpend
  'app.campaign_spend_totals': AppCampaignSpendTotals
  'app.cards': AppCards
  'app.charged_hours': AppChargedHours
  'app.chat_messages': AppChatMessages
  'app.chats': AppChats
  'app.closed_guides': AppClosedGuides
  'app.condensed_settlements': AppCondensedSettlements
  'app.delivery_batches': AppDeliveryBatches
  'app.delivery_charges': AppDeliveryCharges
  'app.erasures': AppErasures
  'app.file_blobs': AppFileBlobs
  'app.file_grants': AppFileGrants
  'app.file_purge': AppFilePurge
  'app.files': AppFiles
  'app.invoice_attempts': AppInvoiceAttempts
  'app.invoice_numbers': AppInvoiceNumbers
  'app.invoice_periods': AppInvoicePeriods
  'app.jobs': AppJobs
  'app.labels': AppLabels
  'app.ledgers': AppLedgers
  'app.list_view_defaults': AppListViewDefaults
  'app.list_views': AppListViews
  'app.log_cosignatures': AppLogCosignatures
  'app.log_heads': AppLogHeads
  'app.log_keys': AppLogKeys
  'app.log_leaves': AppLogLeaves
  'app.log_tiles': AppLogTiles
  'app.log_tree': AppLogTree
  'app.log_witnesses': AppLogWitnesses
  'app.mail_cursor': AppMailCursor
  'app.mailed_notices': AppMailedNotices
  'app.mails': AppMails
  'app.notification_choices': AppNotificationChoices
  'app.notifications': AppNotifications
  'app.payment_customers': AppPaymentCustomers
  'app.payment_tasks': AppPaymentTasks
  'app.payment_webhooks': AppPaymentWebhooks
  'app.pixel_keys': AppPixelKeys
  'app.processes': AppProcesses
  'app.registration_requests': AppRegistrationRequests
  'app.report_files': AppReportFiles
  'app.reservations': AppReservations
  'app.resource_requests': AppResourceRequests
  'app.review_assignments': AppReviewAssignments
  'app.review_holds': AppReviewHolds
  'app.saved_reports': AppSavedReports
  'app.scheduled_changes': AppScheduledChanges
  'app.second_look_progress': AppSecondLookProgress
  'app.second_looks': AppSecondLooks
  'app.second_person': AppSecondPerson
  'app.secrets': AppSecrets
  'app.security_events': AppSecurityEvents
  'app.security_forwarding': AppSecurityForwarding
  'app.server_errors': AppServerErrors
  'app.settlements': AppSettlements
  'app.signing_keys': AppSigningKeys
  'app.test_gateway_payments': AppTestGatewayPayments
  'app.test_gateway_setups': AppTestGatewaySetups
  'app.tracked_days': AppTrackedDays
  'app.tracked_events': AppTrackedEvents
  'app.whitelabel_settings': AppWhitelabelSettings
  'app.whitelists': AppWhitelists
  'es.dead_letters': EsDeadLetters
  'es.events': EsEvents
  'es.generations': EsGenerations
  'es.leases': EsLeases
  'es.log_kind': EsLogKind
  'es.snapshots': EsSnapshots
  'es.subscriptions': EsSubscriptions
  'facts.batches': FactsBatches
  'facts.day_groups': FactsDayGroups
  'facts.day_totals': FactsDayTotals
  'facts.hours': FactsHours
  'facts.names': FactsNames
  'facts.owners': FactsOwners
  'facts.rows': FactsRows
  'facts.unsummed_days': FactsUnsummedDays
  'identity.account_suspensions': IdentityAccountSuspensions
  'identity.answered_challenges': IdentityAnsweredChallenges
  'identity.api_keys': IdentityApiKeys
  'identity.challenges': IdentityChallenges
  'identity.invoice_parties': IdentityInvoiceParties
  'identity.key_ends': IdentityKeyEnds
  'identity.known_devices': IdentityKnownDevices
  'identity.known_networks': IdentityKnownNetworks
  'identity.legal_entities': IdentityLegalEntities
  'identity.mail_keys': IdentityMailKeys
  'identity.memberships': IdentityMemberships
  'identity.passkeys': IdentityPasskeys
  'identity.people': IdentityPeople
  'identity.person_keys': IdentityPersonKeys
  'identity.pictures': IdentityPictures
  'identity.recovery_codes': IdentityRecoveryCodes
  'identity.scim_people': IdentityScimPeople
  'identity.scim_tokens': IdentityScimTokens
  'identity.second_factors': IdentitySecondFactors
  'identity.service_credentials': IdentityServiceCredentials
  'identity.session_families': IdentitySessionFamilies
  'identity.sessions': IdentitySessions
  'identity.sign_on_attempts': IdentitySignOnAttempts
  'identity.sign_on_codes': IdentitySignOnCodes
  'identity.sign_on_domains': IdentitySignOnDomains
  'identity.sign_on_links': IdentitySignOnLinks
  'identity.sign_on_providers': IdentitySignOnProviders
  'identity.sign_on_sessions': IdentitySignOnSessions
  'identity.suspended_whitelabels': IdentitySuspendedWhitelabels
  'identity.teams': IdentityTeams
}
