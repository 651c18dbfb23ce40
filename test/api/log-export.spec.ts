import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ExportedEvent } from '#proof/offline/export-format'
import { verifyExport } from '#proof/offline/verify-export'
import { runTool } from '../support/command-line.ts'
import { streamOfText } from '../support/memory-log.ts'
import { root } from '../support/product-process.ts'
import { eventually, publishable, type Session } from '../support/product.ts'
import { startTwoWhiteLabels, type World } from '../support/two-white-labels.ts'

type Keys = { readonly keys: readonly { readonly verifier_key: string }[] }

describe('the export of the log over HTTP', () => {
  let world: World
  let keys: readonly string[]
  beforeAll(async () => {
    world = await startTwoWhiteLabels()
    const answer = (await (await fetch(`${world.product.base}/v1/audit/keys`)).json()) as { readonly data: Keys }
    keys = answer.data.keys.map(({ verifier_key }) => verifier_key)
  })
  afterAll(() => world.stop())

  const as = (name: string): Session => {
    const session = world.sessions[name]
    if (session === undefined) throw new Error(`there is no user ${name}`)
    return session
  }
  const ask = (name: string, query = '', signal?: AbortSignal) =>
    fetch(`${world.product.base}/v1/audit/export${query}`, {
      headers: { authorization: `Bearer ${as(name).token}` },
      ...(signal === undefined ? {} : { signal }),
    })
  const exported = async (name: string, query = '') => {
    const response = await ask(name, query)
    const text = await response.text()
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-ndjson; charset=utf-8'])
    const verified = await verifyExport(streamOfText(text, 65_536), keys)
    expect(verified.faults).toEqual([])
    const events = text
      .split('\n')
      .filter((line) => line.startsWith('{"leaf"'))
      .map((line): ExportedEvent => JSON.parse(line))
    return { verified, events, text }
  }
  const refused = async (name: string, query: string) => {
    const response = await ask(name, query)
    return [response.status, ((await response.json()) as { readonly type: { readonly code: number } }).type.code]
  }

  it('gives a system administrator every event, byte for byte', async () => {
    const { verified, events } = await exported('SYSTEM_ADMIN')
    expect(verified).toMatchObject({ valid: true, completeness: 'range', next: null })
    const { rows } = await world.product.database.pool.query<{ event_id: string; data: string; metadata: string }>(
      'select event_id, data::text as data, metadata::text as metadata from es.events order by position limit $1',
      [events.length],
    )
    expect(events.length).toBeGreaterThan(100)
    expect(events.map(({ event_id, data, metadata }) => ({ event_id, data, metadata }))).toEqual(rows)
  })

  it.each([
    ['WL_OWNER', 'dsp', 'A1', 'B1'],
    ['AUDITOR', 'dsp', 'A2', 'B2'],
    ['B AUDITOR', 'other', 'B1', 'A1'],
    ['B WL_OWNER', 'other', 'B2', 'A house'],
  ] as const)('gives %s whole streams of the own white-label alone', async (name, whiteLabel, own, other) => {
    const { verified, events } = await exported(name)
    expect(verified).toMatchObject({ completeness: 'streams', filters: { white_label: whiteLabel } })
    const streams = new Set(events.map(({ stream }) => stream))
    expect(streams).toContain(`campaign-${world.targets[own].campaignId}`)
    expect(streams).toContain(`account-${world.targets[own].spaceId}`)
    expect(streams).not.toContain(`campaign-${world.targets[other].campaignId}`)
    // Everything of the one white-label, and nothing of another.
    const { rows } = await world.product.database.pool.query<{ stream: string }>(
      `select e.stream_id as stream from es.events e where e.version = 1 and e.position <= $2
       and coalesce(e.data->>'whitelabel_id', (select a.data->>'whitelabel_id' from es.events a
         where a.version = 1 and a.stream_id = 'account-' || (e.data->>'space_id'))) = $1`,
      [whiteLabel, verified.last_position],
    )
    expect([...streams].sort()).toEqual(rows.map(({ stream }) => stream).sort())
  })

  it('filters by account, author, type and time, and refuses what is out of reach', async () => {
    const { spaceId } = world.targets.A1
    const ofSpace = await exported('AUDITOR', `?space=${spaceId}`)
    expect(ofSpace.events.length).toBeGreaterThan(0)
    expect(ofSpace.events.map(({ stream }) => stream)).toContain(`campaign-${world.targets.A1.campaignId}`)
    expect(ofSpace.events.map(({ stream }) => stream)).not.toContain(`campaign-${world.targets.A2.campaignId}`)
    const created = await exported('AUDITOR', '?types=CampaignCreated')
    expect(new Set(created.events.map(({ type }) => type))).toEqual(new Set(['CampaignCreated']))
    expect(created.verified.completeness).toBe('none')
    const [first] = created.events
    const { actor, at }: { readonly actor: string; readonly at: string } = JSON.parse(first?.metadata ?? '{}')
    const byActor = await exported('AUDITOR', `?actor=${actor}&from=${at}&to=${at}`)
    expect(byActor.events).toEqual([])
    expect((await exported('AUDITOR', `?actor=${actor}`)).events.length).toBeGreaterThan(0)

    expect(await refused('AUDITOR', `?space=${world.targets.B1.spaceId}`)).toEqual([404, 110])
    expect(await refused('AUDITOR', '?space=nowhere')).toEqual([404, 110])
    expect(await refused('WL_OWNER', '?white_label=other')).toEqual([404, 131])
    expect(await refused('AUDITOR', '?from=yesterday')).toEqual([400, 11])
    expect(await refused('AUDITOR', '?after=-1')).toEqual([400, 2])
    expect(await refused('AUDITOR', '?limit=0')).toEqual([400, 2])
    expect(await refused('USER_OWNER', '')).toEqual([403, 3])
    expect(await refused('WL_MODERATOR', '')).toEqual([403, 3])
    expect((await exported('SYSTEM_ADMIN', '?white_label=other')).verified.filters?.white_label).toBe('other')
  })

  it('goes on where the last one ended', async () => {
    let after: string | null = '0'
    let events = 0
    let before = null
    let files = 0
    while (after !== null) {
      const { verified }: Awaited<ReturnType<typeof exported>> = await exported('SYSTEM_ADMIN', `?after=${after}&limit=50`)
      if (before !== null) expect(verified.before).toEqual(before)
      before = verified.after
      files += 1
      events += verified.events
      after = verified.next
    }
    expect(files).toBe(Math.ceil(events / 50))
    expect(files).toBeGreaterThan(3)
  })

  it('shows personal values only when they are asked for, beside the stored bytes', async () => {
    const device = '38400000-8cf0-11bd-b23e-10b96e40000d'
    const owner = as('WL_OWNER')
    const content = await publishable(world.product.base, owner, { test_devices: [device] })
    const { id } = (await owner.call('POST', '/v1/campaign', content)).data
    const plain = await exported('AUDITOR')
    const shown = await exported('AUDITOR', '?personal=true')
    const ofCampaign = (events: readonly ExportedEvent[]) => events.find(({ stream }) => stream === `campaign-${id}`)
    const [without, event] = [ofCampaign(plain.events), ofCampaign(shown.events)]
    expect([plain.verified.personal, shown.verified.personal]).toEqual([false, true])
    expect(plain.text).not.toContain(device)
    expect(plain.text).not.toContain('"revealed"')
    expect(event?.data).toBe(without?.data)
    expect(event?.data).toMatch(/personal:v1:/)
    expect(JSON.stringify(event?.revealed)).toContain(device)
    const changed = shown.text.replace(device, 'another-device')
    expect((await verifyExport(streamOfText(changed), keys)).faults).toEqual([
      expect.stringMatching(/^lines \d+ to \d+ are not those that were signed$/),
    ])
  })

  it('the export of the log over HTTP is a security event', async () => {
    await exported('AUDITOR', '?types=CampaignCreated')
    const { rows } = await world.product.database.pool.query(
      "select count(*)::int as found from app.security_events where type = 'exported' and details->>'call' = 'audit.export'",
    )
    expect(rows[0].found).toBeGreaterThan(0)
  })

  it('ends when its client goes away', async () => {
    const leaving = new AbortController()
    const response = await ask('SYSTEM_ADMIN', '', leaving.signal)
    await response.body?.getReader().read()
    leaving.abort()
    // A place for the next download is free again at once.
    for (let i = 0; i < 8; i++) {
      const again = new AbortController()
      const one = await eventually(
        () => ask('SYSTEM_ADMIN', '', again.signal),
        ({ status }) => status === 200,
      )
      expect(one.status).toBe(200)
      again.abort()
    }
  })

  it('the export of the log over HTTP is written and verified on the command line, and by the script that stands alone', async () => {
    const { database, dataDir } = world.product
    const run = (...args: readonly string[]) => runTool('api/cli/audit.ts', args, database.url)
    const file = join(dataDir, 'log.ndjson')
    expect(await run('export', '--out', file, '--white-label', 'dsp')).toMatchObject({ code: 0, err: '' })
    const [key = ''] = keys
    const good = await run('verify-export', file, '--key', key)
    expect([good.code, good.err.replaceAll(/^.*(ExperimentalWarning|trace-warnings).*\n/gm, '')]).toEqual([0, ''])
    expect(JSON.parse(good.out)).toMatchObject({ valid: true, completeness: 'streams', filters: { white_label: 'dsp' } })
    const { out } = await run('export', '--limit', '10')
    await writeFile(file, out.replace('"type":"', '"type":"X'))
    const bad = await run('verify-export', file, '--key', key)
    expect(bad.code).toBe(1)
    expect(JSON.parse(bad.out).faults[0]).toContain('is not what was stored')
    expect((await run('verify-export', file)).code).toBe(2)
    expect((await run('export', 'surplus')).code).toBe(2)
    expect(await run('verify-export', '/nowhere', '--key', key)).toMatchObject({ code: 3 })
    const script = join(root, 'dist/verify-export.mjs')
    if (!existsSync(script)) return
    await writeFile(file, out)
    const alone = execFileSync(process.execPath, [script, file, '--key', key], { cwd: dataDir, stdio: 'pipe' })
    expect(JSON.parse(String(alone))).toMatchObject({ valid: true, events: 10 })
  })
})
