import fc from 'fast-check'
import { PASSWORD } from '../support/product.ts'
import { LIST_NAMES } from './files.ts'
import { pick, soon, type CurrentWorld } from './plausible.ts'
import { publishable } from './world.ts'

/** Values that are valid only in combination. */
type Together = Readonly<Record<string, unknown>>

/** Statuses that allow a call, for calls that not all allow. */
const FROM: Readonly<Record<string, readonly number[]>> = { 'campaign.run': [41, 5], 'campaign.pause': [3, 6, 40] }

/** Values of path and query, for a call that should succeed. */
export function placesOf(current: CurrentWorld, id: string): fc.Arbitrary<Together> {
  if (id === 'file.upload2') return fc.constant({ width: 300, height: 250 })
  if (id === 'whitelist.space.download' || id === 'whitelist.space.remove')
    return fc.constant(null).map(() => ({ spaceId: current().home, name: LIST_NAMES[0] }))
  if (id === 'whitelist.campaign.download' || id === 'whitelist.campaign.remove')
    return fc.constant(null).map(() => ({ campaignId: current().listed, name: LIST_NAMES[0] }))
  if (id === 'campaign.restore' || id === 'campaign.undo')
    return pick(() => current().campaigns.filter(({ revision }) => revision > 2)).map((one) =>
      one === 'none' ? {} : { id: one.id },
    )
  return fc.constant({})
}

/** In the space with the known files; staff must name the space. */
const fresh = (current: CurrentWorld): fc.Arbitrary<Together> =>
  fc.tuple(fc.nat({ max: 1e9 }), fc.nat({ max: 4 })).map(([n, chance]) => ({
    ...publishable(current()),
    name: `Fuzz ${n}`,
    ...(chance === 0 ? {} : { space_id: current().home }),
  }))

const changed = (current: CurrentWorld): fc.Arbitrary<Together> =>
  fc
    .tuple(
      pick(() => current().campaigns),
      fc.integer({ min: 10, max: 500 }),
    )
    .map(([one, budget]) => (one === 'none' ? {} : { id: one.id, budget }))

/** Values of a body; undefined when the schema is sufficient. */
export function bodyTogether(current: CurrentWorld, id: string): fc.Arbitrary<unknown> | undefined {
  const from = FROM[id]
  if (from !== undefined)
    return pick(() => current().campaigns.filter(({ status_key }) => from.includes(status_key))).map((one) =>
      one === 'none' ? (current().campaigns[0]?.id ?? 'none') : one.id,
    )
  switch (id) {
    case 'campaign.create':
      return fresh(current)
    case 'campaign.publish':
    case 'campaign.update':
      return fc.oneof(fresh(current), changed(current))
    case 'moderation.approve':
    case 'moderation.reject':
      return pick(() => current().pending).map((one) =>
        one === 'none'
          ? {}
          : {
              campaign_id: one.campaign_id,
              moderation_start_at: one.moderation_start_at,
              comment: 'As it is',
              category_keys: ['IAB20'],
            },
      )
    case 'credential.create':
      return fc.constant({ name: 'Fuzz', kind: 'exchange', exchange: 'google', expires_at: soon })
    case 'session.signIn':
      return fc.constant({ grant_type: 'password', username: 'bola@lagos.example', password: PASSWORD })
    case 'session.refresh':
      return fc.constant(null).map(() => ({ refresh_token: current().refreshToken }))
    default:
      return undefined
  }
}
