import type { FastifyInstance } from 'fastify'
import { isOutside } from '#api/areas/white-label/white-labels'
import { may, mayEver, reachOf, rightsAt, type Actor, type OwnRight, type Role } from '#domain/kit/access'
import { followChanges, LONGEST_STREAM } from '#contract/live'
import { createEventStreams } from '#api/http/event-streams'
import type { PolledChanges } from '#platform/database/polled-changes'
import { personOf } from '#api/http/person'
import { register } from '#api/http/register'
import { refused } from '#commands/refused'
import { READ_TIMEOUT_MS } from '#projections/catch-up'
import type { Served } from '#api/areas/services'
import { createChanges, MOST_IDS } from './changes.ts'

/** Unread data after which a page is disconnected, bytes. */
const MOST_UNREAD = 64 * 1024

/** Most open streams of one session, over all processes. */
const STREAMS = 8
/** The same of one user, in all sessions. */
const STREAMS_OF_USER = 24

type Holder = { readonly id: string; readonly version: number; readonly actor: Actor; readonly address: string }

type Polled = {
  /** By person. */
  readonly notifications: Pick<PolledChanges, 'listen'>
  /** Listens to a white-label, or to all for null. */
  readonly reviews: { readonly listen: (whitelabelId: string | null, notify: () => void) => () => void }
}

/** Server-sent events about campaigns that the caller may read and review, and about the caller's notifications. */
export function registerLiveRoutes(
  app: FastifyInstance,
  kit: Served<'campaigns' | 'deliveries' | 'limits' | 'projector' | 'sessions' | 'store' | 'whiteLabels'>,
  { notifications, reviews }: Polled,
): void {
  const { guards, limits, sessions, whiteLabels } = kit
  const changes = createChanges({
    store: kit.store,
    placeOf: kit.campaigns.placeOf,
    reached: (position) => kit.projector.reached(position, READ_TIMEOUT_MS),
    onError: (error) => kit.logger.error({ err: error }, 'changes of campaigns were not reported and are read again'),
  })
  kit.stops.add(() => changes.stop())
  const openStream = createEventStreams<Holder>(app, {
    name: 'live',
    limits,
    mostUnread: MOST_UNREAD,
    // A session ends when it is signed out or revoked, or when its credentials change. Staff may listen where they may work.
    // A page whose user has other roles or rights than when it connected connects again.
    allowed: async (held) => {
      const living = await sessions.living([...new Set(held.map(({ id }) => id))])
      const at = kit.now()
      return ({ id, version, actor, address }) => {
        const session = living.get(id)
        if (session?.version !== version || session.account !== actor.homeSpaceId) return false
        if (isOutside(whiteLabels, actor, address) || !sameRoles(session.roles, actor.roles)) return false
        return sameRights(rightsAt(session.rights, at), actor.rights ?? [])
      }
    },
  })

  register(app, guards, followChanges, async (call, reply) => {
    const actor = personOf(call)
    if (call.identity.kind !== 'person') throw refused(401)
    const { session } = call.identity
    return openStream(reply, {
      holder: { ...session, actor, address: call.address },
      limits: [
        { key: `stream ${session.id}`, streams: STREAMS },
        { key: `streams of ${actor.userId}`, streams: STREAMS_OF_USER },
      ],
      seconds: call.query.seconds ?? LONGEST_STREAM,
      listen: async (say) => {
        const stopNotifications = notifications.listen(actor.userId, () => say('notifications', {}))
        if (!mayEver(actor, 'campaign.read')) return stopNotifications
        const reach = reachOf(actor, 'campaign.moderate')
        const stopReviews =
          reach === null ? () => undefined : reviews.listen(reach === 'all' ? null : actor.whitelabelId, () => say('reviews', {}))
        const stops = await Promise.all([
          changes.listen(actor, (changed) => say('campaigns', changed)),
          kit.deliveries.listen((delivered) => {
            const ids = delivered
              .filter((campaign) =>
                may(actor, 'campaign.read', { spaceId: campaign.space_id, whitelabelId: campaign.whitelabel_id }),
              )
              .map(({ id }) => id)
            if (ids.length > 0) say('figures', { ids: ids.length > MOST_IDS ? null : ids })
          }),
        ]).catch((error: unknown) => {
          stopNotifications()
          stopReviews()
          throw error
        })
        return () => [stopNotifications, stopReviews, ...stops].forEach((stop) => stop())
      },
    })
  })
}

const sameRoles = (a: readonly Role[], b: readonly Role[]): boolean => [...a].sort().join() === [...b].sort().join()

const sameRights = (a: readonly OwnRight[], b: readonly OwnRight[]): boolean =>
  a.length === b.length && a.every(({ right, kind }) => b.some((own) => own.right === right && own.kind === kind))
