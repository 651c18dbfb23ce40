import type { FastifyInstance } from 'fastify'
import { reachOf, type Actor } from '#domain/kit/access'
import { readMessage } from '#domain/chat/message'
import * as contract from '#contract/chat'
import type { Served } from '#api/areas/services'
import { personOf } from '#api/http/person'
import { register } from '#api/http/register'
import { accepted, refused } from '#commands/refused'
import type { Conversations, Reach } from '#platform/chat/conversations'

/** Messages of one user: a person may write fast, but not without end. */
const A_MINUTE = { limit: 10, seconds: 60 }
const A_DAY = { limit: 300, seconds: 86_400 }
/** Answers of one member of the staff. */
const ANSWERS = { limit: 60, seconds: 60 }

/** Conversations of users with the staff of their white-label. */
export function registerChatRoutes(app: FastifyInstance, kit: Served<'limits' | 'people'>, conversations: Conversations): void {
  const { guards, limits, people } = kit

  const reachIn = (actor: Actor): Reach => ({
    whitelabelId: reachOf(actor, 'chat.answer') === 'all' ? null : actor.whitelabelId,
  })

  function textOf(sent: string): string {
    const message = accepted(readMessage(sent))
    return message.text
  }

  register(app, guards, contract.ownChat, (call) => conversations.own(personOf(call).userId, call.query.before))

  register(app, guards, contract.sendMessage, async (call) => {
    const { userId } = personOf(call)
    const text = textOf(call.body.text)
    await limits.reserve([
      { key: `chat ${userId}`, ...A_MINUTE },
      { key: `chat of a day ${userId}`, ...A_DAY },
    ])
    const sent = await conversations.send(userId, text)
    if (sent === null) throw refused(6)
    return { number: sent.number, text, at: sent.at.toISOString(), from_staff: false, author: await nameOf(userId) }
  })

  register(app, guards, contract.readOwnChat, async (call) => {
    await conversations.markOwn(personOf(call).userId, call.body.number)
    return {}
  })

  register(app, guards, contract.inbox, async (call) => {
    const page = call.body.page ?? 0
    const { rows, total } = await conversations.inbox(reachIn(personOf(call)), page)
    return { current_page: page, page_size: conversations.pageSize, total_size: total, data: rows }
  })

  register(app, guards, contract.waitingChats, async (call) => ({
    waiting: await conversations.waiting(reachIn(personOf(call))),
  }))

  register(app, guards, contract.readConversation, async (call) => {
    const found = await conversations.read(reachIn(personOf(call)), call.params.id, call.query.before)
    if (found === null) throw refused(6)
    return found
  })

  register(app, guards, contract.replyMessage, async (call) => {
    const actor = personOf(call)
    const text = textOf(call.body.text)
    await limits.reserve([{ key: `chat ${actor.userId}`, ...ANSWERS }])
    const sent = await conversations.reply(reachIn(actor), call.params.id, actor.userId, text)
    if (sent === null) throw refused(6)
    return { number: sent.number, text, at: sent.at.toISOString(), from_staff: true, author: await nameOf(actor.userId) }
  })

  register(app, guards, contract.readByStaff, async (call) => {
    const actor = personOf(call)
    if (!(await conversations.markByStaff(reachIn(actor), call.params.id, actor.userId, call.body.number))) throw refused(6)
    return {}
  })

  const nameOf = async (id: string) => (await people.namesOf([id])).get(id)?.name ?? null
}
