import { LONGEST_MESSAGE } from '#domain/chat/message'
import { endpoint, named, page, position } from './http.ts'
import { z } from './zod.ts'

/** The chat of users with the staff of their white-label: one conversation for each user. */

export const chatMessage = named(
  'ChatMessage',
  z.object({
    /** Counts from 1 in each conversation. */
    number: z.number(),
    text: z.string(),
    /** ISO 8601 UTC. */
    at: z.string(),
    from_staff: z.boolean(),
    /** The author's name; null for staff where the reader is none. */
    author: z.nullable(z.string()),
  }),
)
export type ChatMessage = z.infer<typeof chatMessage>

const conversation = named(
  'Conversation',
  z.object({
    /** Oldest first. */
    messages: z.array(chatMessage),
    /** Whether there are older ones. */
    more: z.boolean(),
    /** Messages of the other side that the reader has not read. */
    unread: z.number(),
  }),
)
export type Conversation = z.infer<typeof conversation>

/** Messages with smaller numbers. */
const before = z.object({ before: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(2_147_483_647))) })
// Longer texts are refused by the rule of messages, which says so.
const text = z.object({ text: z.string().check(z.maxLength(10 * LONGEST_MESSAGE)) })
const upTo = z.object({ number: z.int().check(z.gte(0), z.lte(2_147_483_647)) })
const ID = z.object({ id: z.string() })
const sent = z.extend(chatMessage, { position })

export const ownChat = endpoint({
  id: 'chat.own',
  method: 'GET',
  path: '/v1/chat',
  access: 'chat.ask',
  summary: "The newest 50 messages of the caller's conversation with the staff, or those before a number",
  query: before,
  output: conversation,
  reads: [],
})

export const sendMessage = endpoint({
  id: 'chat.send',
  method: 'POST',
  path: '/v1/chat',
  access: 'chat.ask',
  summary: 'Send a message to the staff of the white-label',
  body: 'json',
  input: text,
  output: sent,
  reads: [],
  write: true,
})

export const readOwnChat = endpoint({
  id: 'chat.read',
  method: 'POST',
  path: '/v1/chat/read',
  access: 'chat.ask',
  summary: 'Mark messages up to a number as read',
  body: 'json',
  input: upTo,
  output: z.object({ position }),
  reads: [],
  write: true,
})

export const inboxRow = named(
  'InboxRow',
  z.object({
    /** The user's id, which is the id of the conversation. */
    id: z.string(),
    name: z.string(),
    space_id: z.string(),
    space_name: z.string(),
    last_text: z.string(),
    last_at: z.string(),
    /** Whether the newest message is from the user. */
    waiting: z.boolean(),
    unread: z.number(),
  }),
)
export type InboxRow = z.infer<typeof inboxRow>

export const inbox = endpoint({
  id: 'chat.inbox',
  method: 'POST',
  path: '/v1/chat/inbox',
  access: 'chat.answer',
  summary: 'Conversations in reach: those that wait for an answer first, then the newest, in zero-based pages of 25',
  body: 'json',
  input: z.object({ page: z.nullish(z.int().check(z.gte(0), z.lte(100_000))) }),
  output: page(inboxRow),
  reads: ['accounts'],
})

export const waitingChats = endpoint({
  id: 'chat.waiting',
  method: 'GET',
  path: '/v1/chat/waiting',
  access: 'chat.answer',
  summary: 'How many conversations in reach wait for an answer',
  output: z.object({ waiting: z.number() }),
  reads: [],
})

export const readConversation = endpoint({
  id: 'chat.conversation',
  method: 'GET',
  path: '/v1/chat/inbox/:id',
  access: 'chat.answer',
  summary: "The newest 50 messages of a user's conversation, or those before a number",
  params: ID,
  query: before,
  output: conversation,
  reads: [],
})

export const replyMessage = endpoint({
  id: 'chat.reply',
  method: 'POST',
  path: '/v1/chat/inbox/:id',
  access: 'chat.answer',
  summary: 'Answer in a conversation',
  params: ID,
  body: 'json',
  input: text,
  output: sent,
  reads: [],
  write: true,
})

export const readByStaff = endpoint({
  id: 'chat.seen',
  method: 'POST',
  path: '/v1/chat/inbox/:id/read',
  access: 'chat.answer',
  summary: 'Mark messages of a conversation up to a number as read by the staff',
  params: ID,
  body: 'json',
  input: upTo,
  output: z.object({ position }),
  reads: [],
  write: true,
})

export const CHAT_ENDPOINTS = [
  ownChat,
  sendMessage,
  readOwnChat,
  inbox,
  waitingChats,
  readConversation,
  replyMessage,
  readByStaff,
]
