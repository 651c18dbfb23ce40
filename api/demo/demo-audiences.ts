import type { Wired } from '../areas/services.ts'
import { audienceIn, audienceStream } from '#domain/audience/audience'
import type { RuleGroup } from '#domain/campaign/content/content'
import { simulatedDevice } from '#domain/delivery/simulated-device'
import type { CommandContext } from '#domain/kit/event-metadata'
import { createFinishing } from '#commands/audience/finish-upload'
import { readAudienceFile } from '#commands/audience/read-file'
import { DEMO_WHITELABEL } from './people.ts'

const DAY_MS = 86_400_000
/** Members are people of the simulation's panel, so that simulated bidders find them. */
const CUSTOMERS = 24_000
const SUBSCRIBERS = 3000
/** A running campaign whose targeting gets an audience. */
const CAMPAIGN = 'Aswan winter sun'

const SEARCHERS: RuleGroup = {
  condition: 'and',
  rules: [
    { field: 'event_30d', operator: 'is', value: 'search' },
    {
      condition: 'or',
      rules: [
        { field: 'events_30d', operator: 'is_more_than', value: 3 },
        { field: 'conversions_30d', operator: 'is_more_than', value: 0 },
      ],
    },
  ],
}

export type DemoAudiencesDeps = {
  /** Commands that run at the time of `setClock`. */
  readonly commands: Wired['commands']
  readonly setClock: (instant: string) => void
}

/** Audiences of the demo's advertiser: two of files, one of rules. Existing ones are left unchanged. */
export async function seedAudiences(kit: Wired, { commands, setClock }: DemoAudiencesDeps): Promise<void> {
  const { audiences, derivedId, now, store } = kit
  const id = (...parts: readonly string[]) => derivedId('demo', ...parts)
  const spaceId = id('space', 'nile')
  const past = { ...kit, commands }
  const finishing = createFinishing(past)
  const start = Date.parse(now()) - 60 * DAY_MS
  const contextOf = (step: string): CommandContext => ({
    actor: id('person', 'ada@nile.example'),
    role: 'USER_OWNER',
    on_behalf_of: null,
    source: 'ui',
    command_id: id('audience', step),
    body_hash: null,
    correlation: id('audience', step),
    causation: null,
  })
  const isThere = async (audienceId: string) => audienceIn(await store.readStream(audienceStream(audienceId))).exists

  async function fromFile(name: string, daysLater: number, rows: readonly string[]): Promise<string> {
    const audienceId = id('audience', name)
    if (await isThere(audienceId)) return audienceId
    const at = new Date(start + daysLater * DAY_MS).toISOString()
    setClock(at)
    const uploadId = kit.newId()
    await audiences.uploads.begin(uploadId, { audienceId, spaceId, whitelabelId: DEMO_WHITELABEL }, at)
    let part = 0
    const read = await readAudienceFile(chunksOf(rows), {
      key: await audiences.keys.keyOf(DEMO_WHITELABEL),
      column: null,
      kind: null,
      country: null,
      anyForm: false,
      store: (page, soFar) => audiences.uploads.add(uploadId, part++, page, soFar),
    })
    await audiences.names.claim(spaceId, audienceId, name)
    const { rows: count, rejected, reasons } = read
    const place = { audienceId, spaceId, whitelabelId: DEMO_WHITELABEL }
    await audiences.uploads.received(uploadId, { ...place, name, context: contextOf(name), rows: count, rejected, reasons })
    const upload = await audiences.uploads.find(uploadId)
    if (upload !== null) await finishing.finish(upload)
    return audienceId
  }

  const customers = Array.from({ length: CUSTOMERS }, (_, person) => simulatedDevice(person))
  const booked = await fromFile('Booked in 2025', 0, ['device_id', ...customers, '00000000-0000-0000-0000-000000000000'])
  const phones = Array.from({ length: SUBSCRIBERS }, (_, n) => `2010${String(10_000_000 + n * 7919).slice(-8)}`)
  await fromFile('Newsletter readers', 20, ['phone', ...phones, ...phones.slice(0, 12), '+201001234567', '01001234567', 'n/a'])

  const searchers = id('audience', 'Cruise searchers')
  if (!(await isThere(searchers))) {
    setClock(new Date(start + 30 * DAY_MS).toISOString())
    await audiences.names.claim(spaceId, searchers, 'Cruise searchers')
    const created = {
      space_id: spaceId,
      whitelabel_id: DEMO_WHITELABEL,
      kind: 'dynamic',
      name: 'Cruise searchers',
      rules: SEARCHERS,
    } as const
    await commands.audiences.execute(searchers, contextOf('Cruise searchers'), { type: 'Create', created })
  }

  const campaignId = id('campaign', CAMPAIGN)
  const { head } = await commands.campaigns.load(campaignId)
  setClock(now())
  await commands.campaigns.update(
    campaignId,
    { context: contextOf(`target ${CAMPAIGN}`), mayWriteOwnerFields: false },
    {
      patch: {
        targeting: { ...head.targeting, segment_audiences: { includeAny: [booked], include: [], exclude: [] } },
        targeting_on: true,
      },
      newIds: [],
      expected: null,
    },
  )
}

async function* chunksOf(rows: readonly string[]): AsyncIterable<Buffer> {
  yield Buffer.from(`${rows.join('\n')}\n`)
}
