import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { LiveProcess } from '#contract/operations'
import { streamOf } from '#domain/campaign/state'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#platform/database/embedded-postgres'
import { freePort } from '../support/ports.ts'
import { withDatabase } from '../support/database-url.ts'
import { installImage } from '../support/image.ts'
import { keyIn, recipientOf } from '../support/mails.ts'
import { startProductProcess } from '../support/product-process.ts'
import { eventually, PASSWORD, publishable, sessionOf, type Campaignish, type Session } from '../support/product.ts'
import { NO_PROMETHEUS, startPrometheus, type TestPrometheus } from '../support/prometheus.ts'
import { startSmtp, type TestSmtp } from '../support/smtp.ts'
import { startStripeDouble, type StripeDouble } from '../support/stripe-double.ts'

/**
 * `OPERATORS_DAY=on`, as the nightly run sets it: it takes about ten minutes, most of them until alerts fire and are over. The new version is
 * the same build under another number.
 */
const SKIPPED = process.env['OPERATORS_DAY'] === undefined || NO_PROMETHEUS !== null

const TOKEN = 'a-service-token-of-32-characters-or-more'
const ROLES = ['api', 'projector', 'policies'] as const
const NAMES = ROLES.flatMap((role) => [`${role}-1`, `${role}-2`] as const)
type Name = (typeof NAMES)[number]
const LOAD_EVERY_MS = 250

/** Its own disk, which can be filled; only root may mount one. */
const MAY_MOUNT = process.getuid?.() === 0

type Run = { readonly code: number | null; readonly out: string; readonly err: string }

/** A form to the host of a white-label, which `fetch` cannot name. */
async function post(base: string, host: string, path: string, form: Readonly<Record<string, string>>) {
  const { port, hostname } = new URL(base)
  const asked = request({
    host: hostname,
    port,
    path,
    method: 'POST',
    headers: { host: `${host}:${port}`, 'content-type': 'application/x-www-form-urlencoded' },
  })
  asked.end(new URLSearchParams(form).toString())
  const [answer] = (await once(asked, 'response')) as [NodeJS.ReadableStream]
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(Buffer.from(chunk))
  return JSON.parse(Buffer.concat(chunks).toString()) as { data: { access_token: string } }
}

describe.skipIf(SKIPPED)("an operator's day", () => {
  const folder = mkdtemp(join(tmpdir(), 'placard-day-'))
  const living = new Map<Name, ChildProcess>()
  const ports = new Map<Name, number>()
  const acknowledged: string[] = []
  let at = ''
  let disk = ''
  let postgres: EmbeddedPostgres
  let smtp: TestSmtp
  let stripe: StripeDouble
  let prometheus: TestPrometheus
  let settings: Readonly<Record<string, string>> = {}
  let ada: Session
  let load = Promise.resolve()
  let isOver = false
  let failed = 0

  const appOf = (version: 'old' | 'new') => join(at, version)
  const baseOf = (name: Name) => `http://127.0.0.1:${ports.get(name)}`
  const base = () => baseOf('api-1')

  async function start(name: Name, version: 'old' | 'new' = 'old'): Promise<void> {
    const { child } = await startProductProcess([join(appOf(version), 'dist/server/api/main.js')], join(at, 'data'), {
      ...settings,
      PLACARD_ROLE: name.slice(0, -2),
      PORT: String(ports.get(name)),
    })
    living.set(name, child)
  }
  async function end(name: Name, signal: NodeJS.Signals): Promise<number | null> {
    const child = living.get(name)
    living.delete(name)
    if (child === undefined) return null
    const ended = once(child, 'exit')
    child.kill(signal)
    const [code] = (await ended) as [number | null]
    return code
  }
  /** A tool of an installation, as `docker compose exec` runs it. */
  async function tool(file: string, args: readonly string[], env = {}, version: 'old' | 'new' = 'old'): Promise<Run> {
    const child = spawn(process.execPath, [join(appOf(version), 'dist/server/api/cli', `${file}.js`), ...args], {
      env: { ...process.env, ...settings, ...env },
    })
    let [out, err] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => (out += String(chunk)))
    child.stderr.on('data', (chunk: Buffer) => (err += String(chunk)))
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, out, err }
  }
  async function query<T extends object>(url: string, text: string, values: readonly unknown[] = []): Promise<readonly T[]> {
    const client = new Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query<T>(text, [...values])).rows
    } finally {
      await client.end()
    }
  }

  async function complete(key: string, email: string, label: string): Promise<Session> {
    expect((await sessionOf(base(), '').call('POST', '/v1/registration/complete', { token: key, password: PASSWORD })).code).toBe(
      0,
    )
    const form = { grant_type: 'password', username: email, password: PASSWORD }
    const { data } = await post(base(), `${label}.localhost`, '/v1/oauth/token', form)
    return sessionOf(base(), data.access_token)
  }
  /** A member of staff, who needs a second factor. */
  async function staff(email: string, label: string, ...args: readonly string[]): Promise<Session> {
    const { code, out } = await tool('accounts', args)
    expect(code).toBe(0)
    const session = await complete(new URL(/http\S+/.exec(out)?.[0] ?? '').pathname.split('/').at(-1) ?? '', email, label)
    const begun = await session.call<{ secret: string }>('POST', '/v1/user/second-factor/begin', {})
    const totp = new TOTP({ secret: Secret.fromBase32(begun.data.secret) }).generate()
    expect((await session.call('POST', '/v1/user/second-factor/confirm', { code: totp })).code).toBe(0)
    return session
  }
  const mailsTo = (email: string) => smtp.mails.filter((mail) => recipientOf(mail) === email)
  async function imported(email: string, label: string): Promise<Session> {
    const [mail] = await eventually(
      async () => mailsTo(email),
      (mails) => mails.length > 0,
    )
    if (mail === undefined) throw new Error(`no mail to ${email}`)
    return complete(keyIn(mail), email, label)
  }

  /** Saves campaigns by turns at both processes, as a balancer sends them, and remembers which were acknowledged. */
  async function work(body: object): Promise<void> {
    const headers = { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' }
    for (let n = 0; !isOver; n += 1) {
      const name: Name = n % 2 === 0 ? 'api-1' : 'api-2'
      try {
        const response = await fetch(`${baseOf(name)}/v1/campaign`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ ...body, name: `Load ${n}` }),
          signal: AbortSignal.timeout(40_000),
        })
        const answer = (await response.json()) as { type: { code: number }; data: { id: string } }
        if (response.ok && answer.type.code === 0) acknowledged.push(answer.data.id)
        else failed += 1
      } catch {
        failed += 1
      }
      await delay(LOAD_EVERY_MS)
    }
  }
  /** Which of these campaigns a database lacks. */
  async function lost(url: string, ids: readonly string[]): Promise<readonly string[]> {
    const rows = await query<{ stream_id: string }>(url, 'select distinct stream_id from es.events where stream_id = any($1)', [
      ids.map(streamOf),
    ])
    const found = new Set(rows.map(({ stream_id }) => stream_id))
    return ids.filter((id) => !found.has(streamOf(id)))
  }
  async function moreLoad(count = 8): Promise<void> {
    const goal = acknowledged.length + count
    await eventually(
      async () => acknowledged.length,
      (now) => now >= goal,
      60_000,
    )
  }

  beforeAll(async () => {
    at = await folder
    disk = join(at, 'disk')
    await mkdir(disk)
    await mkdir(join(at, 'data'))
    if (MAY_MOUNT) expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2g', 'placard-day', disk]).status).toBe(0)
    for (const version of ['old', 'new'] as const) await installImage(appOf(version))
    const packageFile = join(appOf('new'), 'package.json')
    const { version } = JSON.parse(await readFile(packageFile, 'utf8')) as { readonly version: string }
    await writeFile(packageFile, (await readFile(packageFile, 'utf8')).replace(`"${version}"`, '"999.0.0"'))
    postgres = await startEmbeddedPostgres({ dir: join(disk, 'postgres') })
    smtp = await startSmtp()
    stripe = await startStripeDouble()
    for (const name of NAMES) ports.set(name, await freePort())
    settings = {
      DATABASE_URL: postgres.url,
      PLACARD_DATA_DIR: join(at, 'data'),
      PLACARD_DEMO: 'off',
      PLACARD_EXCHANGE_REVIEW: 'instant',
      PLACARD_SERVICE_TOKEN: TOKEN,
      PLACARD_DATA_KEY: randomBytes(32).toString('base64'),
      SMTP_URL: smtp.url,
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
      STRIPE_API_URL: stripe.url,
      NODE_ENV: 'production',
      LOG_LEVEL: 'fatal',
    }
  })

  // Each part stands on those before.
  let isBroken = false
  beforeEach(({ skip }) => skip(isBroken, 'an earlier part failed'))
  afterEach(({ task }) => {
    isBroken ||= task.result?.state === 'fail'
  })

  afterAll(async () => {
    await rm(join(disk, 'filler'), { force: true })
    isOver = true
    await load
    await prometheus.stop()
    for (const name of NAMES) await end(name, 'SIGTERM')
    await smtp.stop()
    await stripe.stop()
    await postgres.stop()
    if (MAY_MOUNT) spawnSync('umount', [disk])
    await rm(at, { recursive: true, force: true, maxRetries: 10 })
  })

  it('installs by the steps of the image, migrates, and starts two processes of each role, which Prometheus scrapes', async () => {
    expect((await tool('migrate', [])).out).toMatch(/^These migrations ran: /)
    for (const name of NAMES) await start(name)
    const targets = NAMES.map((name) => `127.0.0.1:${ports.get(name)}`)
    prometheus = await startPrometheus({ folder: join(at, 'prometheus'), port: await freePort(), targets, token: TOKEN })
    await delay(10_000)
    expect(await prometheus.firing()).toEqual([])
  })

  it('brings two white-labels to work: people by mail, money by card, a campaign that runs', async () => {
    const file = join(at, 'accounts.csv')
    await writeFile(
      file,
      'email,first_name,last_name,company_name,phone,country,whitelabel_id,currency\n' +
        'ada@nile.example,Ada,Hassan,Nile Travel,+201001234567,EG,dsp,USD\nbola@lagos.example,Bola,Ade,Lagos Foods,+2348031234567,NG,ng,USD\n',
    )
    const { code, out, err } = await tool('accounts', ['import', file, '--apply'])
    expect([code, err, out]).toEqual([0, '', expect.stringContaining('2 accounts added')])
    ada = await imported('ada@nile.example', 'dsp')
    const bola = await imported('bola@lagos.example', 'ng')
    const labelOf = async (session: Session) =>
      (await session.call<{ whitelabel_id: string }>('GET', '/v1/user/me')).data.whitelabel_id
    expect([await labelOf(ada), await labelOf(bola)]).toEqual(['dsp', 'ng'])

    const { data } = await ada.call<{ setup_id: string }>('GET', '/v1/payment-method/add')
    const card = { setup_id: data.setup_id, provider_method_id: stripe.confirmSetup(data.setup_id, 'pm_card_visa') }
    const added = await ada.call<{ id: string }>('POST', '/v1/payment-method', card)
    const paid = await ada.call('POST', '/v1/payment/refill', { amount: 500, payment_method_id: added.data.id })
    expect(paid).toMatchObject({ code: 0, data: { status: 'succeeded' } })

    const moderator = await staff(
      'mo@dsp.example',
      'dsp',
      'staff',
      'mo@dsp.example',
      '--role',
      'WL_MODERATOR',
      '--white-label',
      'dsp',
    )
    const body = await publishable(base(), ada)
    const published = await ada.call('POST', '/v1/campaign/saveAndPublish', body)
    expect(published.code).toBe(0)
    const { id, moderation_start_at } = published.data
    const approved = await moderator.call('POST', '/v1/whitelabel/admin/campaign/approve', {
      campaign_id: id,
      moderation_start_at,
    })
    expect(approved.code).toBe(0)
    await eventually(
      () => ada.call<Campaignish>('GET', `/v1/campaign/${id}`),
      (answer) => answer.data?.status_key === 3,
    )
    expect((await bola.call('GET', `/v1/campaign/${id}`)).code).not.toBe(0)
    load = work(body)
    await moreLoad()
  })

  it('loses nothing while a process of each role is killed, and says which is down', async () => {
    const killed = ['api-1', 'projector-1', 'policies-1'] as const
    for (const name of killed) await end(name, 'SIGKILL')
    for (const name of killed) await prometheus.waitFor(['PlacardDown'], { instance: `127.0.0.1:${ports.get(name)}` })
    for (const name of killed) await start(name)
    await moreLoad()
    await prometheus.quiet()
    expect(await lost(postgres.url, acknowledged)).toEqual([])
  }, 600_000)

  it('keeps mails while the mail server is away, says so, and sends them afterwards', async () => {
    await smtp.stop()
    const me = await ada.call<{ home_space_id: string }>('GET', '/v1/user/me')
    const person = { email: 'nadia@nile.example', first_name: 'Nadia', last_name: 'Saleh', roles: ['USER_VIEWER'] }
    // An invitation needs a sign-in of the last five minutes.
    await query(postgres.url, 'update identity.session_families set proved_at = now()')
    expect((await ada.call('POST', `/v1/space/${me.data.home_space_id}/team/invite`, person)).code).toBe(0)
    await prometheus.waitFor(['PlacardOutsideAway'], { name: 'mail' })
    smtp = await startSmtp(smtp.port)
    await eventually(
      async () => mailsTo(person.email),
      (mails) => mails.length === 1,
      240_000,
    )
    await prometheus.quiet()
  }, 900_000)

  it.skipIf(!MAY_MOUNT)(
    'refuses what it cannot keep while the disk of PostgreSQL is full, says so, and goes on afterwards',
    async () => {
      const filler = join(disk, 'filler')
      const file = await open(filler, 'w')
      const block = Buffer.alloc(2 ** 20)
      try {
        for (;;) await file.write(block)
      } catch (error) {
        expect(error).toMatchObject({ code: 'ENOSPC' })
      } finally {
        await file.close()
      }
      const before = failed
      await prometheus.waitFor(['PlacardDatabaseRefusals', 'PlacardOutsideAway'])
      expect(failed).toBeGreaterThan(before)
      await rm(filler)
      await moreLoad()
      await prometheus.quiet(900_000)
      expect(await lost(postgres.url, acknowledged)).toEqual([])
    },
    1_500_000,
  )

  it('a running product is upgraded process by process under load', async () => {
    const root = await staff('root@placard.example', 'dsp', 'admin', 'root@placard.example')
    expect(await tool('migrate', [], {}, 'new')).toMatchObject({ code: 0, out: 'The database is up to date.\n' })
    for (const name of ['projector-1', 'projector-2', 'policies-1', 'policies-2', 'api-1', 'api-2'] as const) {
      expect(await end(name, 'SIGTERM')).toBe(0)
      await start(name, 'new')
    }
    const versions = async () => {
      const { data } = await root.call<{ processes: readonly LiveProcess[] }>('GET', '/v1/operations/processes')
      return data.processes.map(({ version }) => version)
    }
    await eventually(versions, (found) => found.join() === NAMES.map(() => '999.0.0').join(), 60_000)
    await moreLoad()
    expect(await lost(postgres.url, acknowledged)).toEqual([])
  }, 300_000)

  it('a running product is backed up under load, and restored elsewhere by the version before, with all that was acknowledged', async () => {
    const kept = [...acknowledged]
    const backup = await tool('backup', ['--to', join(at, 'backups')], {}, 'new')
    expect([backup.code, backup.err]).toEqual([0, ''])
    await query(postgres.url, 'create database restored')
    const env = { DATABASE_URL: withDatabase(postgres.url, 'restored'), PLACARD_DATA_DIR: join(at, 'restored'), SMTP_URL: '' }
    const restored = await tool('restore', ['--from', backup.out.split('\n')[0] ?? ''], env)
    expect([restored.code, restored.err]).toEqual([0, ''])
    const { child, base: again } = await startProductProcess(
      [join(appOf('old'), 'dist/server/api/main.js')],
      join(at, 'restored'),
      {
        ...settings,
        ...env,
      },
    )
    try {
      await eventually(
        async () => ((await (await fetch(`${again}/health/ready`)).json()) as { readonly status: string }).status,
        (status) => status === 'ok',
        120_000,
      )
      expect(await lost(env.DATABASE_URL, kept)).toEqual([])
      for (const [file, args] of [
        ['audit', ['verify', '--all']],
        ['projections', ['verify']],
        ['billing', ['reconcile']],
      ] as const) {
        const { code, out, err } = await tool(file, args, env)
        // A slow tool reports its progress on stderr.
        expect([file, code, code === 0 ? '' : err + out]).toEqual([file, 0, ''])
      }
      const form = { grant_type: 'password', username: 'ada@nile.example', password: PASSWORD }
      const { data } = await post(again, 'dsp.localhost', '/v1/oauth/token', form)
      const one = await sessionOf(again, data.access_token).call<Campaignish>('GET', `/v1/campaign/${kept.at(-1) ?? ''}`)
      expect(one.code).toBe(0)
    } finally {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }
  }, 600_000)

  it('ends in quiet', async () => {
    isOver = true
    await load
    expect(await lost(postgres.url, [...acknowledged, 'never-saved'])).toEqual(['never-saved'])
    await prometheus.quiet()
  }, 600_000)
})
