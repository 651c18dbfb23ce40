import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import {
  listNotifications,
  readNotificationChoices,
  readNotifications,
  saveNotificationChoices,
  type Notification,
} from '#contract/notifications'
import { NOTIFICATION_KINDS } from '#domain/notifications/notification'
import { isBeyond, pageOf, signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

const one = (patch: Partial<Notification> = {}): Notification => ({
  id: '7',
  kind: 'campaign-rejected',
  at: '2026-11-20T10:00:00.000Z',
  read: false,
  path: '/not-found',
  data: { id: 'campaign-1', name: 'Autumn', comment: 'Tell the price.' },
  ...patch,
})

function open(path: string, rows: Notification[], role = 'USER_OWNER') {
  const server = signedInServer({ role })
  const state = { rows }
  const unread = () => state.rows.filter(({ read }) => !read).length
  server.on(listNotifications, () => ({ ...pageOf(state.rows), page_size: 25, unread: unread() }))
  server.on(readNotifications, ({ body }) => {
    const { ids } = body as { readonly ids?: readonly string[] }
    state.rows = state.rows.map((row) => ({ ...row, read: row.read || ids === undefined || ids.includes(row.id) }))
    return { unread: unread(), position: '1' }
  })
  return { server, ...renderRoute(path) }
}

describe('the bell', () => {
  it('counts what is unread, and opens the newest, each of which leads to its page and is then read', async () => {
    const { server, address } = open('/notifications', [one()])
    await userEvent.click(await screen.findByRole('button', { name: 'Notifications, 1 unread' }))
    const panel = await screen.findByRole('dialog', { name: 'Notifications' })
    await userEvent.click(await within(panel).findByRole('link', { name: /“Autumn” was rejected ?Tell the price\./ }))
    await waitFor(() => expect(address()).toBe('/not-found'))
    expect(server.calls(readNotifications)[0]?.body).toEqual({ ids: ['7'] })
    expect(await screen.findByRole('button', { name: 'Notifications' })).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('leads a moderator to the conversation of a user who wrote', async () => {
    const data = { id: 'bola', account: 'Lagos Foods' }
    open('/not-found', [one({ kind: 'chat-question', path: '/inbox?id=bola', data })], 'WL_MODERATOR')
    await userEvent.click(await screen.findByRole('button', { name: /^Notifications/ }))
    const link = await screen.findByRole('link', { name: /A user of “Lagos Foods” wrote in the chat/ })
    expect(link).toHaveAttribute('href', '/inbox?id=bola')
  })
})

describe('the page of notifications', () => {
  it('shows each kind with its own words, without an axe violation', async () => {
    const data = {
      id: 'a',
      name: 'Autumn',
      available: 12.5,
      currency: 'USD',
      number: 'INV-7',
      due: '2026-11-20T00:00:00.000Z',
      notice: 'runway_1',
      exchange: 'google',
      creative: 'Banner',
      topics: 'Alcohol',
      failure: 'card_declined',
      count: 1200,
      comment: 'Refund',
    }
    open(
      '/notifications',
      NOTIFICATION_KINDS.map((kind, n) => one({ id: String(n + 1), kind, data })),
    )
    const list = await screen.findByRole('list', { name: 'Notifications' })
    const texts = within(list)
      .getAllByRole('link')
      .map(({ textContent }) => textContent ?? '')
    expect(new Set(texts).size).toBe(NOTIFICATION_KINDS.length)
    for (const text of texts) expect(text).not.toMatch(/title\.|text\.|undefined|\{\{/)
    expect(texts.join('\n')).toContain('Low balance: $12.50 is left')
    expect(texts.join('\n')).toContain('Google AdX disapproved a creative of “Autumn”')
    expect(texts.join('\n')).toContain('declined')
    expect((await axe.run(document.body, { rules: { 'color-contrast': { enabled: false } } })).violations).toEqual([])
  })

  it('filters by kind and by what is unread, in the address', async () => {
    const { server, address } = open('/notifications', [one()])
    await userEvent.selectOptions(await screen.findByLabelText('Kind'), 'Invoice overdue')
    await waitFor(() => expect(address()).toBe('/notifications?kind=invoice-overdue'))
    await userEvent.selectOptions(screen.getByLabelText('State'), 'Unread')
    await waitFor(() =>
      expect(server.calls(listNotifications).map(({ query }) => Object.fromEntries(query))).toContainEqual({
        page: '0',
        kind: 'invoice-overdue',
        unread: 'true',
      }),
    )
  })

  it('shows the last page instead of a page beyond it', async () => {
    const server = signedInServer()
    server.on(listNotifications, ({ query }) => ({
      ...pageOf(isBeyond({ page: Number(query.get('page')) }, 25, 30) ? [] : [one()], 30),
      page_size: 25,
      unread: 1,
    }))
    const { address } = renderRoute('/notifications?page=9')
    expect(await screen.findByRole('list', { name: 'Notifications' })).toBeVisible()
    expect(address()).toBe('/notifications?page=1')
  })

  it('marks all as read', async () => {
    const { server } = open('/notifications', [one(), one({ id: '8' })])
    await screen.findByRole('button', { name: 'Notifications, 2 unread' })
    await userEvent.click(await screen.findByRole('button', { name: 'Mark all as read' }))
    await waitFor(() => expect(server.calls(readNotifications)[0]?.body).toEqual({ all: true }))
    expect(await screen.findByRole('button', { name: 'Notifications' })).toBeVisible()
  })
})

describe('the choices in the settings', () => {
  it('the choices in the settings are saved one by one', async () => {
    const { server } = open('/profile?tab=notifications', [])
    const choices = [{ kind: 'campaign-rejected' as const, app: true, mail: 'now' as const }]
    server.on(readNotificationChoices, () => ({ choices }))
    server.on(saveNotificationChoices, () => ({ choices, position: '1' }))
    await userEvent.selectOptions(await screen.findByLabelText('Mail about: Campaign rejected'), 'Once a day')
    await waitFor(() =>
      expect(server.calls(saveNotificationChoices)[0]?.body).toEqual({
        choices: [{ kind: 'campaign-rejected', app: true, mail: 'daily' }],
      }),
    )
    await userEvent.click(screen.getByRole('switch', { name: 'In the application: Campaign rejected' }))
    await waitFor(() => expect(server.calls(saveNotificationChoices)).toHaveLength(2))
    expect(server.calls(saveNotificationChoices)[1]?.body).toMatchObject({ choices: [{ app: false }] })
  })
})
