import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query'
import { listNotifications, readNotificationChoices, readNotifications, saveNotificationChoices } from '#contract/notifications'
import type { NotificationChoice, NotificationKind } from '#domain/notifications/notification'
import { call } from './client.ts'

/** How often the number of unread notifications is read where the live stream is away, milliseconds. */
const BADGE_MS = 60_000

const all = ['notifications'] as const

export type NotificationView = {
  readonly page?: number | undefined
  readonly kind?: NotificationKind | undefined
  readonly unread?: boolean | undefined
}

export const notificationQueries = {
  all: () => all,
  newest: () =>
    queryOptions({
      queryKey: [...all, 'list', {}],
      queryFn: ({ signal }) => call(listNotifications, { query: {}, signal }),
      refetchInterval: BADGE_MS,
    }),
  page: ({ page = 0, kind, unread }: NotificationView) =>
    queryOptions({
      queryKey: [...all, 'list', { page, kind, unread }],
      queryFn: ({ signal }) =>
        call(listNotifications, {
          query: { page, ...(kind === undefined ? {} : { kind }), ...(unread === true ? { unread: 'true' } : {}) },
          signal,
        }),
      placeholderData: keepPreviousData,
    }),
  choices: () =>
    queryOptions({ queryKey: [...all, 'choices'], queryFn: ({ signal }) => call(readNotificationChoices, { signal }) }),
}

export const notificationMutations = {
  read: () =>
    mutationOptions({
      meta: { invalidates: [[...all, 'list']], silent: true },
      mutationFn: (ids: readonly string[] | 'all') =>
        call(readNotifications, { body: ids === 'all' ? { all: true } : { ids: [...ids] } }),
    }),
  choose: () =>
    mutationOptions({
      meta: {
        invalidates: [
          [...all, 'choices'],
          ['session', 'me'],
        ],
      },
      mutationFn: (choice: NotificationChoice & { readonly kind: NotificationKind }) =>
        call(saveNotificationChoices, { body: { choices: [choice] } }),
    }),
}
