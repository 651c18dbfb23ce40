import type { FastifyInstance } from 'fastify'
import { isStaff, type Actor } from '#domain/kit/access'
import { kindsFor, pathOf } from '#domain/notifications/notification'
import * as contract from '#contract/notifications'
import type { Served } from '#api/areas/services'
import type { Notifications, Reader } from '#platform/notifications/notifications'
import { personOf } from '#api/http/person'
import { register } from '#api/http/register'
import { refused } from '#commands/refused'

/** Notifications of staff name the accounts that they are about; others read those of the account that they act in. */
const readerOf = (actor: Actor): Reader => ({
  personId: actor.userId,
  spaceId: isStaff(actor) ? null : actor.homeSpaceId,
})

/** The signed-in user's notifications and choices. */
export function registerNotificationRoutes(
  app: FastifyInstance,
  { guards, now }: Served<never>,
  notifications: Notifications,
): void {
  register(app, guards, contract.listNotifications, async (call) => {
    const reader = readerOf(personOf(call))
    const { page = 0, kind = null, unread } = call.query
    const [{ rows, total }, open] = await Promise.all([
      notifications.page(reader, { kind, unread: unread === 'true', page }),
      notifications.unread(reader),
    ])
    return {
      current_page: page,
      page_size: notifications.pageSize,
      total_size: total,
      data: rows.map((row) => ({ ...row, data: { ...row.data }, at: row.at.toISOString(), path: pathOf(row.kind, row.data) })),
      unread: open,
    }
  })

  register(app, guards, contract.readNotifications, async (call) => {
    const reader = readerOf(personOf(call))
    await notifications.markRead(reader, 'ids' in call.body ? call.body.ids : 'all', now())
    return { unread: await notifications.unread(reader) }
  })

  register(app, guards, contract.readNotificationChoices, async (call) => {
    const { userId, roles } = personOf(call)
    return { choices: [...(await notifications.choices(userId, roles))] }
  })

  register(app, guards, contract.saveNotificationChoices, async (call) => {
    const { userId, roles } = personOf(call)
    const { choices } = call.body
    const kinds = kindsFor(roles)
    for (const [i, { kind }] of choices.entries())
      if (!kinds.includes(kind))
        throw refused(2, [{ path: `choices[${i}].kind`, code: 2, message: 'You are not notified of this' }])
    await notifications.saveChoices(userId, choices)
    return { choices: [...(await notifications.choices(userId, roles))] }
  })
}
