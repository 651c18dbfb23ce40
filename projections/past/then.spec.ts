import { expect, it } from 'vitest'
import { at, history } from '#test/support/campaign-history'
import { eventsUntil } from './then.ts'

const EVENTS = history(
  ['08:00', { type: 'CampaignSwitchedOn', data: {} }],
  ['09:00', { type: 'CampaignSwitchedOff', data: {} }],
  ['10:00', { type: 'CampaignArchived', data: {} }],
)
async function typesUntil(moment: string): Promise<readonly (readonly string[])[]> {
  const types = []
  for await (const events of eventsUntil({ at: moment, store: { readStream: async () => EVENTS } }, ['campaign-1']))
    types.push(events.map(({ type }) => type))
  return types
}

it('the events of a stream until a moment include those of the moment itself', async () => {
  expect(await typesUntil(at('09:00'))).toEqual([['CampaignSwitchedOn', 'CampaignSwitchedOff']])
})

it('a stream that began after a moment has no events until it', async () => {
  expect(await typesUntil(at('07:59'))).toEqual([])
})
