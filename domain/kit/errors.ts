/**
 * The error catalogue (platform.md §8): every refusal, with its number, key, sentence and HTTP status.
 * HTTP statuses follow running.md "The wire" and fine print 25.
 */
export const CATALOGUE = {
  0: { key: 'OK', message: '', http: 200 },
  1: { key: 'backend_exception', message: 'Backend exception', http: 500 },
  2: { key: 'invalid_argument', message: 'Invalid argument provided', http: 400 },
  3: { key: 'illegal_action', message: 'Illegal action', http: 403 },
  4: { key: 'token_expired', message: 'Token is expired', http: 401 },
  5: { key: 'token_invalid', message: 'Token is invalid', http: 401 },
  6: { key: 'user_not_found', message: 'User not found', http: 404 },
  7: { key: 'user_not_found', message: 'User not found', http: 404 },
  8: { key: 'image_too_big', message: 'Original image is too big, must be under 500000 bytes', http: 413 },
  11: { key: 'invalid_date_format', message: 'Invalid date format', http: 400 },
  20: { key: 'space_id_not_specified', message: 'JWT space id not specified', http: 400 },
  110: { key: 'space_not_found', message: 'Space is not found', http: 404 },
  111: { key: 'space_has_no_campaign', message: 'Space has no campaign', http: 404 },
  130: { key: 'campaign_not_found', message: 'Campaign is not found', http: 404 },
  131: { key: 'target_not_found', message: 'Target not found', http: 404 },
  132: { key: 'creatives_not_found', message: 'Creatives not found', http: 404 },
  133: { key: 'status_not_supported', message: 'Status is not supported', http: 400 },
  134: { key: 'campaign_status_does_not_match_the_action', message: 'Campaign status does not match the action', http: 409 },
  135: {
    key: 'campaign_not_ready_for_moderation',
    message: 'Campaign is not ready for moderation, some fields missing',
    http: 409,
  },
  136: { key: 'does_not_need_moderation', message: 'Does not need moderation', http: 409 },
  137: { key: 'needs_moderation', message: 'Needs moderation', http: 409 },
  138: { key: 'updated_while_in_moderation', message: 'Updated while in moderation', http: 409 },
  139: { key: 'not_changed_after_rejection', message: 'Not changed after rejection', http: 409 },
  140: { key: 'changed_by_someone_else', message: 'Campaign was changed by someone else', http: 409 },
  141: { key: 'idempotency_key_reused', message: 'Idempotency key was used with another request', http: 409 },
  142: { key: 'payment_declined', message: 'Payment was declined', http: 409 },
  143: { key: 'submission_held', message: 'Another moderator holds this submission', http: 409 },
  150: { key: 'report_mode_not_supported', message: 'Report mode not supported', http: 400 },
  160: { key: 'email_exists', message: 'Email already exists', http: 409 },
  161: { key: 'registration_not_found', message: 'Registration not found', http: 404 },
  162: { key: 'registered_user_verified', message: 'Registered user is verified', http: 409 },
  163: { key: 'registered_user_not_verified', message: 'Registered user is not verified', http: 409 },
  164: { key: 'password_switched_off', message: 'This address signs in by single sign-on', http: 403 },
  165: {
    key: 'key_exchange_required',
    message: 'API keys work here only in exchange for an access token: POST /v1/oauth/token with grant_type=client_credentials',
    http: 401,
  },
  170: { key: 'company_not_found', message: 'Company not found', http: 404 },
  180: { key: 'audience_not_found', message: 'Audience not found', http: 404 },
  181: { key: 'file_size_invalid', message: 'File size invalid', http: 413 },
  182: { key: 'audience_size_invalid', message: 'Audience size invalid', http: 400 },
  183: { key: 'audience_name_exists', message: 'Audience name exists', http: 409 },
  184: { key: 'audience_in_use', message: 'Audience is used by campaigns', http: 409 },
  190: { key: 'location_not_found', message: 'Location not found', http: 404 },
  401: { key: 'unauthorized', message: 'Unauthorized', http: 401 },
  1301: { key: 'missing_mandatory_fields', message: 'Missing mandatory field(s)', http: 400 },
  1302: { key: 'budget_less_than_bid', message: 'Budget less than bid amount', http: 400 },
  1303: { key: 'start_date_after_end_date', message: 'Start date must be before end date', http: 400 },
  1304: { key: 'start_date_in_past', message: 'Start date should be in future', http: 400 },
  1305: { key: 'end_date_in_past', message: 'End date should be in future', http: 400 },
  1306: { key: 'start_date_not_modifiable', message: 'Start date not modifiable', http: 400 },
  1307: { key: 'wrong_budget_type', message: 'Wrong budget type', http: 400 },
  1308: { key: 'bid_below_base_bid', message: 'Bid must exceed a base bid', http: 400 },
  1309: { key: 'budget_below_bid', message: 'Budget must be >= bid amount', http: 400 },
  1310: { key: 'app_url_not_modifiable', message: 'App URL not modifiable', http: 400 },
  1311: { key: 'app_not_in_store', message: 'App does not exist in the app store', http: 400 },
  1312: { key: 'campaign_name_not_unique', message: 'Campaign name must be unique per space', http: 409 },
  1313: { key: 'wrong_pixel_url', message: 'Wrong pixel URL', http: 400 },
  1315: { key: 'frequency_caps_invalid', message: 'Frequency cap values not valid', http: 400 },
  1400: { key: 'space_invitations_have_error', message: 'Space invitation(s) have error', http: 409 },
  1401: { key: 'invited_user_verified', message: 'Invited user is verified', http: 409 },
  1402: { key: 'invited_user_not_verified', message: 'Invited user is not verified', http: 409 },
  1410: { key: 'space_name_not_specified', message: 'Space name not specified', http: 409 },
  1411: { key: 'space_name_not_unique', message: 'Space name must be unique across company', http: 409 },
  1420: { key: 'space_mismatch', message: 'Space mismatch', http: 409 },
} as const

export type ErrorCode = keyof typeof CATALOGUE

/** The tabs of the campaign form (decisions G-096) on which faults are fixed. */
export type FormTab =
  | 'administration'
  | 'advancedBidding'
  | 'basicInfo'
  | 'targeting'
  | 'dynamicAds'
  | 'bannerAds'
  | 'nativeAds'
  | 'videoAds'
  | 'tracks'
  | 'frequency'
  | 'placement'
  | 'geography'

/** One fault of the input. `message` is the specification's sentence; `key` its translation. */
export type Fault = {
  readonly path: string
  readonly code: ErrorCode
  readonly message: string
  readonly tab?: FormTab
  /** Translation key under `faults.` with its parameters, for the screen's language. */
  readonly key?: string
  readonly params?: Readonly<Record<string, string | number>>
}

/** A refusal as a value. `code` goes into the envelope; `faults` lists everything that is wrong. */
export type Rejection = { readonly code: ErrorCode; readonly faults: readonly Fault[]; readonly message?: string }

/** A refusal with the catalogue's own sentence. */
export const reject = (code: ErrorCode, faults: readonly Fault[] = [], message?: string): Rejection =>
  message === undefined ? { code, faults } : { code, faults, message }

/** Order that picks the first fault of a save (decisions G-246); plain field faults come after those it names. */
const SAVE_ORDER: readonly ErrorCode[] = [
  1301, 1312, 1307, 11, 1303, 1304, 1305, 1306, 1315, 1302, 1308, 1309, 1310, 1311, 1313, 2, 131, 132, 135,
]

/** All faults of one request as one refusal whose code is the first by `SAVE_ORDER`; null when there are none. */
export function refusalOf(faults: readonly Fault[]): Rejection | null {
  if (faults.length === 0) return null
  const rank = (code: ErrorCode) => (SAVE_ORDER.includes(code) ? SAVE_ORDER.indexOf(code) : SAVE_ORDER.length)
  const ordered = [...faults].sort((a, b) => rank(a.code) - rank(b.code))
  const first = ordered[0]
  return first === undefined ? null : { code: first.code, faults: ordered }
}
