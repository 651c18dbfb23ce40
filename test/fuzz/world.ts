import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DEMO_PEOPLE } from '#api/demo/people'
import { PASSWORD, type Session } from '../support/product.ts'
import { LIST_NAMES, type Fixtures } from './files.ts'

/** The product under test with its demo, and access to its database. */
export type Target = {
  readonly base: string
  readonly dataDir: string
  readonly as: (email: string) => Promise<Session>
  readonly query: <Row extends object>(text: string, values: readonly unknown[]) => Promise<readonly Row[]>
}

export type Known = { readonly id: string; readonly space_id: string; readonly revision: number; readonly status_key: number }
type Pending = { readonly campaign_id: string; readonly moderation_start_at: string }

/** Valid ids and values, read from the API. */
export type World = {
  /** Home of the advertiser whose objects are restored. */
  readonly home: string
  readonly spaces: readonly string[]
  readonly users: readonly string[]
  readonly files: readonly { readonly file_id: string; readonly file_url: string }[]
  readonly archives: readonly string[]
  readonly countries: readonly string[]
  readonly apps: readonly string[]
  readonly campaigns: readonly Known[]
  readonly pending: readonly Pending[]
  /** A campaign that has a whitelist. */
  readonly listed: string
  /** Credentials of exchanges and bidders. */
  readonly credentials: readonly string[]
  /** Webhooks of the audit feed. */
  readonly webhooks: readonly string[]
  readonly audiences: readonly string[]
  /** Users with a conversation. */
  readonly chats: readonly string[]
  readonly refreshToken: string
  readonly position: string
}

export type RoleName = (typeof DEMO_PEOPLE)[number]['role'] | 'service' | 'anonymous'
export type Caller = { readonly name: string; readonly role: RoleName; readonly token: string }

/** The demo users, the service and the anonymous caller. */
export async function callersOf(target: Target): Promise<readonly Caller[]> {
  const people = await Promise.all(
    DEMO_PEOPLE.map(async ({ email, role }) => ({ name: email, role, token: (await target.as(email)).token })),
  )
  const token = (await readFile(join(target.dataDir, 'service-token'), 'utf8')).trim()
  return [...people, { name: 'service', role: 'service', token }, { name: 'anonymous', role: 'anonymous', token: '' }]
}

export async function collect(target: Target, fixtures: Fixtures): Promise<World> {
  const admin = await target.as('admin@dsp.example')
  const ada = await target.as('ada@nile.example')
  const spaces = await admin.call<{ data: { space_id: string }[] }>('POST', '/v1/whitelabel/admin/accounts/list', {})
  const users = await Promise.all(
    DEMO_PEOPLE.map(async ({ email }) => (await (await target.as(email)).call('GET', '/v1/user/me')).data.id),
  )
  const { data: own } = await ada.call<{ id: string; space_id: string }>('GET', '/v1/user/me')
  await ada.call('POST', '/v1/chat', { text: 'How do I add funds?' })
  const countries = await admin.call<{ iso_code: string }[]>('GET', '/v1/geo/country')
  const apps = await admin.call<{ bundle_ids: string[] }[]>('GET', '/v1/audience/audience-resource?name=a')
  return tend(target, fixtures, {
    home: own.space_id,
    spaces: spaces.data.data.map(({ space_id }) => space_id),
    users,
    files: [await uploaded(target.base, ada, fixtures.banner), await uploaded(target.base, ada, fixtures.banner)],
    archives: [(await uploaded(target.base, ada, fixtures.zip)).file_id],
    countries: countries.data.map(({ iso_code }) => iso_code).filter((code) => ['EG', 'NG', 'DE', 'KE', 'RU'].includes(code)),
    apps: apps.data.flatMap(({ bundle_ids }) => bundle_ids),
    campaigns: [],
    pending: [],
    listed: '',
    credentials: [],
    webhooks: [],
    audiences: [],
    chats: [own.id],
    refreshToken: '',
    position: '0',
  })
}

const WANTED = 3

/** A few webhooks: a white-label may have ten, and some of these are made and removed by the requests. */
async function someWebhooks(admin: Session): Promise<readonly string[]> {
  const list = async () => (await admin.call<{ webhooks: { id: string }[] }>('GET', '/v1/audit/webhooks')).data.webhooks
  const [, , ...others] = await list()
  for (const { id } of others) await admin.call('DELETE', `/v1/audit/webhooks/${id}`)
  await admin.call('POST', '/v1/audit/webhooks', { url: 'https://receiver.example/placard' })
  return (await list()).map(({ id }) => id)
}

/** Restores consumed state (proofs of users, pending submissions, a refresh token, whitelists) and rereads ids. */
export async function tend(target: Target, fixtures: Fixtures, world: World): Promise<World> {
  const [admin, ada] = await Promise.all([target.as('admin@dsp.example'), target.as('ada@nile.example')])
  await target.query('update identity.session_families set proved_at = now() where revoked_at is null and proved_at < now()', [])
  const queue = async () =>
    (await admin.call<{ data: Pending[] }>('POST', '/v1/whitelabel/admin/moderation/queue', { page_size: 50 })).data.data
  let { position } = world
  for (let missing = WANTED - (await queue()).length; missing > 0; missing -= 1)
    position = (await ada.call('POST', '/v1/campaign/saveAndPublish', publishable(world))).data.position
  const list = await admin.call<{ data: Known[] }>(
    'POST',
    '/v1/campaign/admin/list',
    { pageSize: 150, order_field: 'name' },
    { 'x-position': position },
  )
  const campaigns = list.data.data
  // An archived campaign accepts no whitelist.
  const listed = campaigns.find(({ space_id, status_key }) => space_id === world.home && status_key !== 5)?.id ?? ''
  for (const path of [`whitelist/${world.home}`, `campaign-whitelist/${listed}`])
    await addList(target.base, ada, path, fixtures.list)
  const pending = await queue()
  await admin.call('POST', '/v1/service-credential', {
    name: 'Tended',
    kind: 'bidder',
    expires_at: new Date(Date.now() + 86_400_000).toISOString(),
  })
  const made = await admin.call<{ id: string }[]>('GET', '/v1/service-credential')
  const credentials = made.data.map(({ id }) => id)
  const webhooks = await someWebhooks(admin)
  const known = await admin.call<{ data: { id: string }[] }>('POST', '/v1/segment-audience/list', { page_size: 100 })
  const audiences = known.data.data.map(({ id }) => id)
  return {
    ...world,
    audiences,
    campaigns,
    listed,
    pending,
    credentials,
    webhooks,
    position,
    refreshToken: await freshToken(target.base, world.refreshToken),
  }
}

let made = 0
/** A body that can be submitted, with a unique name. */
export function publishable({ files }: World) {
  made += 1
  const banners = files.slice(0, 1).map(({ file_id, file_url }) => ({
    width: 300,
    height: 250,
    file_id,
    url: file_url,
    creative_name: 'main_banner',
  }))
  return {
    name: `Tended ${made}`,
    country: 'EG',
    budget: 50,
    product_url: 'https://nile.example/landing',
    bidding_strategy: { type: 'awareness' },
    visuals: { banners },
  }
}

async function uploaded(base: string, { token }: Session, bytes: Buffer): Promise<{ file_id: string; file_url: string }> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), 'file')
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${base}/v1/file/upload2?width=300&height=250`, { method: 'POST', headers, body: form })
  const { data }: { data: { file_id: string; file_url: string } } = await response.json()
  return data
}

async function addList(base: string, { token }: Session, path: string, bytes: Buffer): Promise<void> {
  const form = new FormData()
  form.append('name', LIST_NAMES[0])
  form.append('file', new Blob([new Uint8Array(bytes)]), 'list')
  await fetch(`${base}/v1/campaign/${path}`, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: form })
}

/** The session of the last one is ended: a user has twenty at most, and the caller's own must stay. */
async function freshToken(base: string, last: string): Promise<string> {
  if (last !== '') await fetch(`${base}/v1/oauth/logout`, { method: 'POST', body: new URLSearchParams({ refresh_token: last }) })
  const body = new URLSearchParams({ username: 'clerk@nile.example', password: PASSWORD })
  const response = await fetch(`${base}/v1/oauth/token`, { method: 'POST', body })
  const { data }: { data: { refresh_token: string } } = await response.json()
  return data.refresh_token
}
