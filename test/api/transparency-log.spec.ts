import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkProofFile, isConsistent, readCheckpoint, readVerifierKey } from '#proof/log/offline-verifier'
import { runTool } from '../support/command-line.ts'
import { HAS_GO, verifiedByGo } from '../support/go-verifier.ts'
import { eventually, publishable, startTestProduct, type Session, type TestProduct } from '../support/product.ts'
import { startWitness, type TestWitness } from '../support/witness.ts'

type Keys = { readonly origin: string; readonly keys: readonly { readonly verifier_key: string; readonly signs: boolean }[] }
type Head = { readonly size: number; readonly root_hash: string; readonly checkpoint: string }
type Inclusion = {
  readonly index: number
  readonly size: number
  readonly hashes: readonly string[]
  readonly checkpoint: string
  readonly proof: string
}
type Consistency = {
  readonly from: number
  readonly to: number
  readonly hashes: readonly string[]
  readonly from_checkpoint: string
  readonly to_checkpoint: string
}
type Event = { readonly event_id: string; readonly hash: string }

describe('the transparency log over HTTP', () => {
  let product: TestProduct
  let witness: TestWitness
  let auditor: Session
  let ada: Session
  beforeAll(async () => {
    witness = await startWitness('witness.example/w1')
    product = await startTestProduct({ PLACARD_LOG_ORIGIN: 'ads.example/log', PLACARD_WITNESS_URLS: witness.setting })
    auditor = await product.as('auditor@dsp.example')
    ada = await product.as('ada@nile.example')
    witness.trust((await keys()).keys.map(({ verifier_key }) => verifier_key))
  })
  afterAll(async () => {
    await product.stop()
    await witness.stop()
  })

  const open = async (path: string) => fetch(product.base + path)
  const keys = async (): Promise<Keys> => ((await (await open('/v1/audit/keys')).json()) as { readonly data: Keys }).data
  const verifiers = async () => [
    ...(await keys()).keys.map(({ verifier_key }) => readVerifierKey(verifier_key)),
    readVerifierKey(witness.key),
  ]
  const signed = async () => (await auditor.call<Head>('POST', '/v1/audit/checkpoint')).data
  const someCampaign = async () => (await ada.call('POST', '/v1/campaign', await publishable(product.base, ada))).data
  const eventsOf = async (id: string) => (await auditor.call<readonly Event[]>('GET', `/v1/campaign/${id}/events`)).data

  it('gives the newest head without a token, with the lines of witnesses', async () => {
    const head = await signed()
    const note = await eventually(
      async () => (await open('/v1/audit/checkpoint')).text(),
      (text) => text.includes('— witness.example/w1 '),
    )
    const { origin, size, root, signers } = readCheckpoint(note, await verifiers())
    expect([origin, Number(size), root.toString('base64')]).toEqual(['ads.example/log', head.size, head.root_hash])
    expect(signers.map(({ kind }) => kind)).toEqual(['log', 'witness'])
    const response = await open(`/v1/audit/checkpoint?size=${head.size}`)
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await response.text()).toBe(note)
    const missing = await open('/v1/audit/checkpoint?size=999999999')
    expect([missing.status, ((await missing.json()) as { type: { code: number } }).type.code]).toEqual([404, 131])
  })

  it('publishes heads in the file store', async () => {
    const { size } = await signed()
    const file = await eventually(
      () => readFile(join(product.dataDir, `files/proof/checkpoints/${size}`), 'utf8').catch(() => ''),
      (text) => text !== '',
    )
    expect(readCheckpoint(file, await verifiers()).size).toBe(BigInt(size))
  })

  it('proves an event as soon as its command is answered', async () => {
    const { id } = await someCampaign()
    const events = await eventsOf(id)
    expect(events.length).toBeGreaterThan(0)
    for (const { event_id, hash } of events) {
      const { data, code } = await auditor.call<Inclusion>('GET', `/v1/audit/proof?event=${event_id}`)
      expect(code).toBe(0)
      expect(checkProofFile(data.proof, hash, await verifiers()).size).toBe(BigInt(data.size))
      const other = createHash('sha256').update(hash).digest('hex')
      const known = await verifiers()
      expect(() => checkProofFile(data.proof, other, known)).toThrow('does not have this event')
    }
  })

  it('proves that a later head continues an earlier one', async () => {
    const first = await signed()
    await someCampaign()
    const second = await signed()
    expect(second.size).toBeGreaterThan(first.size)
    const { data } = await auditor.call<Consistency>('GET', `/v1/audit/proof?from=${first.size}&to=${second.size}`)
    const known = await verifiers()
    const trees = { first: readCheckpoint(data.from_checkpoint, known), second: readCheckpoint(data.to_checkpoint, known) }
    expect([trees.first.size, trees.second.size]).toEqual([BigInt(first.size), BigInt(second.size)])
    expect(isConsistent({ ...trees, path: data.hashes.map((hash) => Buffer.from(hash, 'base64')) })).toBe(true)
    expect((await auditor.call<Consistency>('GET', `/v1/audit/proof?from=${first.size}`)).data.to).toBeGreaterThanOrEqual(
      second.size,
    )
  })

  it.skipIf(!HAS_GO)("the transparency log over HTTP is accepted by Go's checksum database", async () => {
    const first = await signed()
    const { id } = await someCampaign()
    const second = await signed()
    const inclusion = []
    for (const { event_id, hash } of await eventsOf(id)) {
      const { data } = await auditor.call<Inclusion>('GET', `/v1/audit/proof?event=${event_id}`)
      inclusion.push({ checkpoint: data.checkpoint, event_hash: hash, index: data.index, hashes: data.hashes })
    }
    const { data } = await auditor.call<Consistency>('GET', `/v1/audit/proof?from=${first.size}&to=${second.size}`)
    const consistency = [{ first: data.from_checkpoint, second: data.to_checkpoint, hashes: data.hashes }]
    expect(verifiedByGo({ keys: (await keys()).keys.map(({ verifier_key }) => verifier_key), inclusion, consistency })).toBe('ok')
  })

  it('refuses questions that are none, and events and heads that it does not have', async () => {
    const { size } = await signed()
    const unknown = '00000000-0000-4000-8000-000000000000'
    const asked = async (query: string) => {
      const { status, code } = await auditor.call('GET', `/v1/audit/proof${query}`)
      return [query, status, code]
    }
    for (const [query, status, code] of [
      ['', 400, 2],
      ['?event=x', 400, 2],
      [`?event=${unknown}&from=1`, 400, 2],
      ['?to=3', 400, 2],
      [`?from=${size}&to=-1`, 400, 2],
      [`?event=${unknown}`, 404, 131],
      [`?from=${size}&to=999999999`, 404, 131],
      ['?from=999999999', 404, 131],
    ])
      expect(await asked(String(query))).toEqual([query, status, code])
  })

  it.each([
    ['auditor@dsp.example', 200],
    ['owner@dsp.example', 200],
    ['admin@dsp.example', 200],
    ['moderator@dsp.example', 403],
    ['accountant@dsp.example', 403],
    ['ada@nile.example', 403],
  ])('lets those who verify the log sign and prove: %s %d', async (email, status) => {
    const session = await product.as(email)
    const { size } = await signed()
    expect((await session.call('POST', '/v1/audit/checkpoint')).status).toBe(status)
    expect((await session.call('GET', `/v1/audit/proof?from=${size}`)).status).toBe(status)
  })

  it('says when the newest head was found to be the newest, and which witnesses have cosigned it', async () => {
    type Newest = Head & {
      readonly current_at: string
      readonly checkpoint: string
      readonly witnesses: readonly { readonly name: string; readonly cosigned_at: string | null }[]
    }
    const head = await signed()
    const { data } = await eventually(
      () => auditor.call<Newest>('GET', '/v1/audit/head'),
      (answer) => answer.data.witnesses.every(({ cosigned_at }) => cosigned_at !== null),
    )
    expect([data.size, data.root_hash]).toEqual([head.size, head.root_hash])
    expect(data.witnesses.map(({ name }) => name)).toEqual(['witness.example/w1'])
    for (const at of [data.current_at, data.witnesses[0]?.cosigned_at])
      expect(Math.abs(Date.now() - Date.parse(at ?? ''))).toBeLessThan(120_000)
    expect(readCheckpoint(data.checkpoint, await verifiers()).size).toBe(BigInt(head.size))
  })

  // covers FP-30
  it('asks for a token but for heads and keys', async () => {
    const statuses = await Promise.all(
      ['/v1/audit/checkpoint', '/v1/audit/keys', '/v1/audit/proof?from=1'].map(async (path) => (await open(path)).status),
    )
    expect(statuses).toEqual([200, 200, 401])
  })

  it('the transparency log over HTTP has figures for operators', async () => {
    const { size } = await signed()
    const text = await (await open('/metrics')).text()
    const figure = (name: string) => Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1])
    expect(figure('placard_log_tree_size')).toBeGreaterThanOrEqual(size)
    expect(figure('placard_log_head_age_seconds')).toBeLessThan(60)
    expect(figure('placard_log_fault')).toBe(0)
    expect(figure('placard_log_witness_failing\\{witness="witness.example/w1"\\}')).toBe(0)
  })

  it('signs, proves and compares on the command line, and checks a proof without a database', async () => {
    const run = (...args: readonly string[]) => runTool('api/cli/audit.ts', args, product.database.url)
    const { id } = await someCampaign()
    const [event] = await eventsOf(id)
    const head = await run('checkpoint')
    expect([head.code, head.err]).toEqual([0, ''])
    const [log] = await verifiers()
    expect(readCheckpoint(head.out, log === undefined ? [] : [log]).origin).toBe('ads.example/log')
    const proof = await run('proof', event?.event_id ?? '')
    const file = join(product.dataDir, 'event.tlog-proof')
    await writeFile(file, proof.out)
    const key = (await keys()).keys[0]?.verifier_key ?? ''
    const good = await run('check', file, '--hash', event?.hash ?? '', '--key', key)
    expect(JSON.parse(good.out)).toMatchObject({ valid: true, origin: 'ads.example/log', signed_by: ['ads.example/log'] })
    expect(await run('check', file, '--hash', '0'.repeat(64), '--key', key)).toMatchObject({
      code: 1,
      err: 'the log of this checkpoint does not have this event there\n',
    })
    expect(JSON.parse((await run('compare')).out)).toEqual({ valid: true, faults: [] })
    expect((await run('check', file)).code).toBe(2)
  })

  it('lists an old key after the command line made a new one', async () => {
    const before = (await keys()).keys
    const made = await runTool('api/cli/keys.ts', ['rotate-log'], product.database.url)
    expect(made.code).toBe(0)
    const after = (await keys()).keys
    expect(after.map(({ verifier_key }) => verifier_key)).toEqual([
      ...before.map(({ verifier_key }) => verifier_key),
      made.out.trim(),
    ])
    // Both sign, so that the witness needs no change yet.
    expect(
      readCheckpoint((await signed()).checkpoint, await verifiers()).signers.filter(({ kind }) => kind === 'log'),
    ).toHaveLength(2)
  })
})
