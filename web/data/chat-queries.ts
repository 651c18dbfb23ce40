import { infiniteQueryOptions, keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query'
import {
  inbox,
  ownChat,
  readByStaff,
  readConversation,
  readOwnChat,
  replyMessage,
  sendMessage,
  waitingChats,
  type ChatMessage,
  type Conversation,
} from '#contract/chat'
import { call } from './client.ts'

/** How often an open conversation is read again, milliseconds. */
const OPEN_MS = 4000
/** How often a closed one is, for its number of unread messages. */
const CLOSED_MS = 20_000
const BADGE_MS = 20_000

const all = ['chat'] as const
const firstPage: number | undefined = undefined

/** The number of the oldest message of a page, if there are older ones. */
const olderThan = ({ more, messages }: Conversation) => (more ? messages[0]?.number : undefined)
const queryOf = (before: number | undefined) => (before === undefined ? {} : { before })

export const chatQueries = {
  own: (open: boolean) =>
    infiniteQueryOptions({
      queryKey: [...all, 'own'],
      queryFn: ({ signal, pageParam }) => call(ownChat, { query: queryOf(pageParam), signal }),
      initialPageParam: firstPage,
      getNextPageParam: olderThan,
      refetchInterval: open ? OPEN_MS : CLOSED_MS,
    }),
  of: (personId: string) =>
    infiniteQueryOptions({
      queryKey: [...all, 'of', personId],
      queryFn: ({ signal, pageParam }) => call(readConversation, { params: { id: personId }, query: queryOf(pageParam), signal }),
      initialPageParam: firstPage,
      getNextPageParam: olderThan,
      refetchInterval: OPEN_MS,
    }),
  inbox: (page: number) =>
    queryOptions({
      queryKey: [...all, 'inbox', page],
      queryFn: ({ signal }) => call(inbox, { body: { page }, signal }),
      placeholderData: keepPreviousData,
      refetchInterval: OPEN_MS,
    }),
  waiting: () =>
    queryOptions({
      queryKey: [...all, 'waiting'],
      queryFn: ({ signal }) => call(waitingChats, { signal }),
      refetchInterval: BADGE_MS,
    }),
}

/** Messages of the loaded pages, oldest first. */
export const messagesOf = (pages: readonly Conversation[] | undefined): readonly ChatMessage[] =>
  [...(pages ?? [])].reverse().flatMap(({ messages }) => messages)

export const chatMutations = {
  send: () =>
    mutationOptions({
      meta: { invalidates: [[...all, 'own']], silent: true },
      mutationFn: (text: string) => call(sendMessage, { body: { text } }),
    }),
  reply: (personId: string) =>
    mutationOptions({
      meta: { invalidates: [all], silent: true },
      mutationFn: (text: string) => call(replyMessage, { params: { id: personId }, body: { text } }),
    }),
  read: () =>
    mutationOptions({
      meta: { invalidates: [[...all, 'own']], silent: true },
      mutationFn: (number: number) => call(readOwnChat, { body: { number } }),
    }),
  seen: (personId: string) =>
    mutationOptions({
      meta: { invalidates: [[...all, 'inbox']], silent: true },
      mutationFn: (number: number) => call(readByStaff, { params: { id: personId }, body: { number } }),
    }),
}
