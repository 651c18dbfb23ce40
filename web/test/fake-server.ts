import { vi } from 'vitest'
import type { z } from 'zod'
import type { ListRow } from '#contract/campaign-list'
import { campaignTrends, listCampaigns } from '#contract/campaign-list'
import type { Endpoint } from '#contract/http'
import { moderationQueue } from '#contract/moderation'
import { ownChat, waitingChats } from '#contract/chat'
import { listNotifications } from '#contract/notifications'
import { readGuide } from '#contract/guide'
import { listScheduled } from '#contract/schedules'
import { labelsOfCampaign, listLabels } from '#contract/labels'
import { listViews } from '#contract/views'
import { getUser } from '#contract/session'
import { whitelabelInfo } from '#contract/white-label-info'
import { CATALOGUE } from '#domain/kit/errors'
import { followChanges } from '#contract/live'
import { storeGrant } from '@/session/token-store'

type Asked = {
  readonly id: string
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: Headers
  /** As sent: parsed if it is JSON, else the text. */
  readonly body: unknown
  /** Aborted when the page cancels the call. */
  readonly signal: AbortSignal | null
}
type Refusal = {
  readonly refuse: {
    readonly code: number
    readonly status: number
    readonly errors: readonly unknown[]
    readonly message: string | undefined
    /** Further fields of the answer's `data`. */
    readonly data?: object
  }
}
type Answer<E extends Endpoint> = z.input<E['output']> | Refusal | Promise<z.input<E['output']>>

/** A refusal as the server sends it: with the catalogue's message, unless the case has its own. */
export const refusal = (code: number, status: number, errors: readonly unknown[] = [], message?: string): Refusal => ({
  refuse: { code, status, errors, message },
})

/** The refusal of a right password whose user has a second factor. */
export const secondStep = (data: { readonly challenge: string; readonly passkey: boolean }): Refusal => ({
  refuse: { code: 401, status: 401, errors: [], message: undefined, data: { second_factor: true, ...data } },
})

/** The refusal of a call that needs a proof of the last five minutes. */
export const proofAsked = (...methods: readonly ('password' | 'code' | 'passkey' | 'sign_on')[]): Refusal => {
  const provider = methods.includes('sign_on') ? { sign_on: { id: 'idp-1', name: 'Acme' } } : {}
  return { refuse: { code: 401, status: 401, errors: [], message: undefined, data: { step_up: { methods, ...provider } } } }
}

/**
 * Replaces the server behind `fetch`: answers by contract endpoint, in the envelope, and records the calls. A call without an
 * answer fails the test with a refusal.
 */
export function fakeServer() {
  const answers: { readonly endpoint: Endpoint; readonly path: RegExp; readonly answer: (asked: Asked) => unknown }[] = []
  const asked: Asked[] = []
  const on = <E extends Endpoint>(endpoint: E, answer: (asked: Asked) => Answer<E>) => {
    const path = new RegExp(`^${endpoint.path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`)
    answers.unshift({ endpoint, path, answer })
  }
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const url = new URL(address, 'http://placard.test')
    if (url.pathname === followChanges.path) return new Promise<Response>(() => {})
    const found = answers.find(({ endpoint, path }) => endpoint.method === init.method && path.test(url.pathname))
    const one: Asked = {
      id: found?.endpoint.id ?? `${init.method} ${url.pathname}`,
      params: { ...found?.path.exec(url.pathname)?.groups },
      query: url.searchParams,
      headers: new Headers(init.headers),
      body: bodyOf(init.body),
      signal: init.signal ?? null,
    }
    asked.push(one)
    const aborted = new Promise<never>((_, reject) => {
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason as unknown))
    })
    aborted.catch(() => undefined)
    const answer = found === undefined ? refusal(404, 404) : await Promise.race([found.answer(one), aborted])
    if (answer instanceof Blob) return new Response(answer)
    return isRefusal(answer)
      ? envelope(
          answer.refuse.code,
          { errors: answer.refuse.errors, ...answer.refuse.data },
          answer.refuse.status,
          answer.refuse.message,
        )
      : envelope(0, answer, 200)
  })
  return { on, asked, calls: (endpoint: Endpoint) => asked.filter(({ id }) => id === endpoint.id) }
}
export type FakeServer = ReturnType<typeof fakeServer>

const isRefusal = (answer: unknown): answer is Refusal => typeof answer === 'object' && answer !== null && 'refuse' in answer

const CATALOGUED = new Map(Object.entries(CATALOGUE).map(([code, { key, message }]) => [Number(code), { key, message }]))

function envelope(code: number, data: unknown, status: number, message?: string): Response {
  const type = CATALOGUED.get(code) ?? { key: 'refused', message: `Refused with ${code}` }
  return new Response(JSON.stringify({ type: { code, key: type.key, message: message ?? type.message }, data }), { status })
}

function bodyOf(body: unknown): unknown {
  if (typeof body !== 'string') return body
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

/** The signed-in user. */
export const PERSON = {
  id: 'ada',
  email: 'ada@nile.example',
  first_name: 'Ada',
  last_name: 'Nile',
  phone: null,
  roles: ['USER_OWNER'],
  rights: [],
  role_key: 'USER_OWNER',
  space_id: 'space-1',
  space_name: 'Nile Retail',
  home_space_id: 'space-1',
  accounts: [{ space_id: 'space-1', space_name: 'Nile Retail', home: true, roles: ['USER_OWNER'] }],
  currency: 'USD',
  balance: 100,
  credit_limit: 0,
  invoice_due_day: null,
  rewarded_ads_cpm_rate: 1,
  maxMargin: null,
  legal_entity_name: null,
  tin_number: null,
  tos_status_type_key: 1,
  moderator_comment: null,
  whitelabel_id: 'dsp',
  time_zone: 'UTC',
  timezone_offset_seconds: 0,
  country: 'EG',
  company_name: 'Nile',
  locale: 'en_US',
  language_key: 1,
  user_type_key: 1,
  status_key: 5,
  profile_image: null,
  settings: { allow_make_payment: true, notifications: { balance: true, moderation: true } },
  second_factor: false,
  second_factor_required: false,
  api_key_days: 90,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  deleted_at: null,
}

/** The white-label of the host. */
export const INFO = {
  id: 'dsp',
  name: 'Placard',
  time_zone: 'UTC',
  timezone_offset_seconds: 0,
  file_id: null,
  audio_ads: true,
  environment: 'local',
  whitelabel_settings: {
    term_of_service_url: null,
    help_url: null,
    company_logo: null,
    primary_color: null,
    secondary_color: null,
    warning_color: null,
    gauge_color: null,
    default_locale: 'en_US',
  },
}

type Person = { readonly role?: string; readonly audio?: boolean }

/** A server with a signed-in user. */
export function signedInServer({ role = 'USER_OWNER', audio = true }: Person = {}): FakeServer {
  storeGrant({ access_token: 'a', expires_in: 3600, space_id: 'space-1' }, Date.now())
  const server = fakeServer()
  server.on(getUser, () => ({ ...PERSON, roles: [role], role_key: role }))
  server.on(whitelabelInfo, () => ({ ...INFO, audio_ads: audio }))
  server.on(moderationQueue, () => pageOf([]))
  server.on(listCampaigns, () => pageOf([]))
  server.on(ownChat, () => ({ messages: [], more: false, unread: 0 }))
  server.on(waitingChats, () => ({ waiting: 0 }))
  server.on(listScheduled, () => pageOf([]))
  server.on(campaignTrends, () => ({ days: [], trends: [] }))
  server.on(listLabels, () => ({ labels: [], may_write: false }))
  server.on(labelsOfCampaign, () => [])
  server.on(listViews, () => ({ views: [], default_id: null, may_share: false }))
  server.on(listNotifications, () => ({ ...pageOf([]), unread: 0 }))
  server.on(readGuide, () => ({
    closed: true,
    funded: true,
    created: true,
    published: true,
    delivered: true,
    draft_id: null,
  }))
  return server
}

/** When figures of an answer were read. */
export const READ_AT = { as_of: '2026-11-02T10:15:00.000Z', complete_through: '2026-11-02T10:00:00.000Z' }

/** A page of any list; the moderation queue also has registrants. */
/** True for a request of a page after the last one of `total` rows, which the server answers without rows. */
export const isBeyond = (body: unknown, rows: number, total: number): boolean => {
  const { page } = body as { readonly page: number }
  return page > 0 && page * rows >= total
}

export const pageOf = <T>(data: T[], total = data.length) => ({
  current_page: 0,
  page_size: 10,
  total_size: total,
  data,
  registrants: { total_size: 0, data: [] },
})

export const listRowWith = (patch: Partial<ListRow> = {}): ListRow => ({
  id: 'campaign-1',
  space_id: 'space-1',
  space_name: 'Nile Retail',
  currency: 'USD',
  name: 'Autumn',
  status_key: 3,
  status_reasons: [],
  need_moderation: false,
  review: 'approved',
  revision: 3,
  campaign_start_at: '2026-01-10T00:00:00.000Z',
  campaign_end_at: null,
  timezone_offset_seconds: 0,
  campaign_type_key: 1,
  goal: 'REACH',
  type: 'awareness',
  budget: 20,
  budget_type_key: 2,
  budget_spent: 31.25,
  daily_budget_spent: 4.5,
  labels: [],
  creative_status: 'approved',
  moderation_start_at: null,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  impressions: 12_345,
  clicks: 67,
  conversions: 8,
  spent: 25.5,
  ctr: 0.54,
  cpm: 2.07,
  cpc: 0.38,
  cvr: 11.94,
  cpa: 3.19,
  conversions_unique_bid: 0,
  unconfirmed_conversions: 0,
  report_data: { cpa: 3.19, cvr: 11.94 },
  ...patch,
})
