import fc from 'fast-check'
import { PASSWORD } from '../support/product.ts'
import { LIST_NAMES } from './files.ts'
import { pick, soon, type Look } from './plausible.ts'
import { publishable } from './world.ts'

/** Values that only make sense with each other. */
type Together = Readonly<Record<string, unknown>>

/** Statuses from which a call leads on, where not from all. */
const FROM: Readonly<Record<string, readonly number[]>> = { 'campaign.run': [41, 5], 'campaign.pause': [3, 6, 40] }

/** Of path and query, for a call that is meant to succeed. */
export function placesOf(look: Look, id: string): fc.Arbitrary<Together> {
  if (id === 'file.upload2') return fc.constant({ width: 300, height: 250 })
  if (id === 'whitelist.space.download' || id === 'whitelist.space.remove')
    return fc.constant(null).map(() => ({ spaceId: look().home, name: LIST_NAMES[0] }))
  if (id === 'whitelist.campaign.download' || id === 'whitelist.campaign.remove')
    return fc.constant(null).map(() => ({ campaignId: look().listed, name: LIST_NAMES[0] }))
  if (id === 'campaign.restore' || id === 'campaign.undo')
    return pick(() => look().campaigns.filter(({ revision }) => revision > 2)).map((one) =>
      one === 'none' ? {} : { id: one.id },
    )
  return fc.constant({})
}

/** In the space whose files the world knows, which staff have to name. */
const fresh = (look: Look): fc.Arbitrary<Together> =>
  fc.tuple(fc.nat({ max: 1e9 }), fc.nat({ max: 4 })).map(([n, chance]) => ({
    ...publishable(look()),
    name: `Fuzz ${n}`,
    ...(chance === 0 ? {} : { space_id: look().home }),
  }))

const changed = (look: Look): fc.Arbitrary<Together> =>
  fc
    .tuple(
      pick(() => look().campaigns),
      fc.integer({ min: 10, max: 500 }),
    )
    .map(([one, budget]) => (one === 'none' ? {} : { id: one.id, budget }))

/** Of a body; undefined where the schema is enough. */
export function bodyTogether(look: Look, id: string): fc.Arbitrary<unknown> | undefined {
  const from = FROM[id]
  if (from !== undefined)
    return pick(() => look().campaigns.filter(({ status_key }) => from.includes(status_key))).map((one) =>
      one === 'none' ? (look().campaigns[0]?.id ?? 'none') : one.id,
    )
  switch (id) {
    case 'campaign.create':
      return fresh(look)
    case 'campaign.publish':
    case 'campaign.update':
      return fc.oneof(fresh(look), changed(look))
    case 'moderation.approve':
    case 'moderation.reject':
      return pick(() => look().pending).map((one) =>
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
      return fc.constant(null).map(() => ({ refresh_token: look().refreshToken }))
    default:
      return undefined
  }
}
