import type { Served } from '#api/areas/services'
import { actorNamer } from '#commands/identity/person'
import { fold } from '#proof/replay'
import { readMetadata } from '#domain/kit/event-metadata'
import { OWNER_KEYS } from '#domain/campaign/content/content'
import { decodeCampaignEvent } from '#domain/campaign/events'
import { streamOf } from '#domain/campaign/state'
import type { StoredEvent } from '#eventstore/event-store'
import { authorize, type Caller } from '#api/http/caller'
import { contentOut } from './wire.ts'

/** Notes of staff about a campaign: owner fields and staff comments. */
export function createAdminCalls(deps: Served<'campaigns' | 'people' | 'store'>) {
  return {
    async details(caller: Caller, id: string) {
      const place = await deps.campaigns.placeOf(id)
      authorize(caller.actor, 'owner-fields.read', place)
      const history = await deps.store.readStream(streamOf(id))
      const state = fold(history)
      const said = history.flatMap(remarkOf).reverse()
      const people = await deps.people.namesOf([...new Set(said.map(({ by }) => by))])
      const name = actorNamer(caller.actor, state.space_id, people)
      const content = contentOut(state.head, true)
      return {
        ...Object.fromEntries(OWNER_KEYS.map((key) => [key, content[key]])),
        id,
        revision: state.revision,
        moderator_comment: state.moderator_comment,
        comments: said.map(({ by, event, ...remark }) => ({ ...remark, author: name(by, event) })),
      }
    },
  }
}

/** A staff comment, or the reason of a rejection. */
function remarkOf(stored: StoredEvent) {
  const event = decodeCampaignEvent(stored)
  if (event.type !== 'CampaignCommented' && event.type !== 'CampaignRejected') return []
  const { actor, at } = readMetadata(stored.metadata)
  const kind = event.type === 'CampaignCommented' ? ('comment' as const) : ('rejection' as const)
  return [{ kind, text: event.data.comment, by: actor, date: at, event: event.type }]
}
