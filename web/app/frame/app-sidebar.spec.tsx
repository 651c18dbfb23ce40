import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { Role } from '#domain/kit/access'
import { ownChat, waitingChats } from '#contract/chat'
import { moderationQueue } from '#contract/moderation'
import { getUser } from '#contract/session'
import { whitelabelInfo } from '#contract/white-label-info'
import { INFO, PERSON, type FakeServer } from '@/test/fake-server'
import { openApp, waiting } from '@/test/queue-fixture'

const own = () => screen.findByRole('navigation', { name: 'Main navigation' })
const labels = (navigation: HTMLElement) =>
  within(navigation)
    .getAllByRole('link')
    .map(({ textContent }) => textContent)
const open = (role: Role, arrange?: (server: FakeServer) => void) => openApp('/campaigns', role, [waiting('one')], arrange)

describe('the sidebar', () => {
  // covers CAM-ROLE-09 SHELL-22 SHELL-23 SHELL-24 SHELL-25 SHELL-30 ROLE-12
  it('shows their own pages to advertisers, and neither work nor administration', async () => {
    open('USER_OWNER')
    expect(labels(await own())).toEqual(['Campaigns', 'Audience', 'Events', 'Reports', 'Billing', 'Team', 'Settings'])
    expect(within(await own()).getByRole('link', { name: 'Settings' })).toHaveAttribute('href', '/profile')
    expect(screen.queryByRole('navigation', { name: 'Administration' })).toBeNull()
    expect(screen.queryByRole('navigation', { name: 'Work' })).toBeNull()
  })

  // covers ROLE-14 SHELL-26
  it('shows transactions and their profile to accountants', async () => {
    open('ACCOUNTANT')
    expect(labels(await own())).toEqual(['Transactions', 'Settings'])
    expect(within(await own()).getByRole('link', { name: 'Settings' })).toHaveAttribute('href', '/profile')
  })

  // covers CAM-ROLE-10..15 ROLE-02 ROLE-11
  it('shows moderators their pages and the queue with its count, and no administration', async () => {
    open('WL_MODERATOR')
    expect(labels(await own())).toEqual(['My profile', 'Campaigns', 'Audience', 'Events', 'Reports'])
    const work = screen.getByRole('navigation', { name: 'Work' })
    await within(work).findByText('1')
    expect(labels(work)).toEqual(['All campaigns', 'Moderation1', 'Inbox'])
    expect(screen.queryByRole('navigation', { name: 'Administration' })).toBeNull()
  })

  // covers SHELL-21
  it.each([
    ['WL_OWNER', true],
    ['WL_MODERATOR', true],
    ['USER_OWNER', false],
    ['ACCOUNTANT', false],
  ] as const)('shows My profile to %s: %s', async (role, isShown) => {
    open(role)
    expect(labels(await own()).includes('My profile')).toBe(isShown)
  })

  // covers SHELL-27 SHELL-32 SHELL-34..36 SHELL-38
  it('shows owners the administration, each page in a new tab', async () => {
    open('WL_OWNER')
    expect(labels(await own())).toContain('Billing')
    const administration = await screen.findByRole('navigation', { name: 'Administration' })
    const links = within(administration).getAllByRole('link')
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/admin/customization',
      '/admin/accounts',
      '/admin/payments',
      '/admin/campaigns',
      '/admin/moderation',
      '/audit',
    ])
    for (const link of links) expect([link.getAttribute('target'), link.getAttribute('rel')]).toEqual(['_blank', 'noopener'])
    expect(within(administration).getByRole('link', { name: 'Customization (opens in a new tab)' })).toBeVisible()
  })

  // covers SHELL-37
  it('counts campaigns and registrants in moderation beside its link, and nothing at zero', async () => {
    const queue = (campaigns: number, registrants: number) => ({
      current_page: 0,
      page_size: 25,
      total_size: campaigns,
      data: [],
      registrants: { total_size: registrants, data: [] },
    })
    const { queryClient } = open('WL_OWNER', (server) => server.on(moderationQueue, () => queue(2, 1)))
    const administration = await screen.findByRole('navigation', { name: 'Administration' })
    expect(await within(administration).findByLabelText('3 waiting')).toHaveTextContent('3')
    queryClient.clear()
  })

  it('counts conversations that wait for an answer', async () => {
    open('WL_OWNER', (server) => server.on(waitingChats, () => ({ waiting: 4 })))
    expect(await screen.findByLabelText('4 unread')).toHaveTextContent('4')
  })

  // covers SHELL-31
  it('links to the help of the white-label in a new tab', async () => {
    open('USER_OWNER', (server) =>
      server.on(whitelabelInfo, () => ({
        ...INFO,
        whitelabel_settings: { ...INFO.whitelabel_settings, help_url: 'https://help.nile.example' },
      })),
    )
    const help = await screen.findByRole('link', { name: 'Help (opens in a new tab)' })
    await waitFor(() => expect(help).toHaveAttribute('href', 'https://help.nile.example'))
    expect(help).toHaveAttribute('target', '_blank')
  })

  it('links to the help of the product in a new tab, where the white-label has none', async () => {
    open('USER_OWNER')
    const help = await screen.findByRole('link', { name: 'Help (opens in a new tab)' })
    expect([help.getAttribute('href'), help.getAttribute('target')]).toEqual(['/help', '_blank'])
  })

  // covers SHELL-09 SHELL-10
  it('stands beside a title bar with the title of the page and the balance', async () => {
    const { user } = open('USER_OWNER')
    await user.click(within(await own()).getByRole('link', { name: 'Events' }))
    const title = await screen.findByRole('heading', { level: 1, name: 'Events' })
    expect(title.closest('[data-slot=title-bar]')).not.toBeNull()
  })
})

describe('the chat', () => {
  const answered = (server: FakeServer) =>
    server.on(ownChat, () => ({
      messages: [
        { number: 1, text: 'Hello', at: '2026-11-02T10:00:00.000Z', from_staff: false, author: 'Ada Nile' },
        { number: 2, text: '<b>Welcome</b>', at: '2026-11-02T10:05:00.000Z', from_staff: true, author: null },
      ],
      more: false,
      unread: 1,
    }))

  // covers SHELL-07
  it('the chat is there for advertisers, and opens and closes by keys with the focus in it and back', async () => {
    open('USER_OWNER', answered)
    const button = await screen.findByRole('button', { name: /Chat with us/ })
    expect(await screen.findByLabelText('1 unread message')).toBeVisible()
    button.focus()
    await userEvent.keyboard('{Enter}')
    const panel = await screen.findByRole('region', { name: 'Chat with Placard' })
    await waitFor(() => expect(within(panel).getByLabelText('Message')).toHaveFocus())
    expect(within(panel).getByText('<b>Welcome</b>')).toBeVisible()
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('region', { name: 'Chat with Placard' })).toBeNull()
    expect(button).toHaveFocus()
  })

  // covers SHELL-08
  it.each(['WL_OWNER', 'SYSTEM_ADMIN', 'WL_MODERATOR'] as const)(
    'the chat is not there for %s, who answers in the inbox',
    async (role) => {
      open(role)
      expect(await screen.findByRole('link', { name: /^Inbox/ })).toBeVisible()
      expect(screen.queryByRole('button', { name: /Chat with us/ })).toBeNull()
    },
  )
})

// covers SHELL-28
it('Billing is disabled with its reason where payments are not allowed', async () => {
  open('USER_OWNER', (server) =>
    server.on(getUser, () => ({ ...PERSON, settings: { ...PERSON.settings, allow_make_payment: false } })),
  )
  const entry = await within(await own()).findByRole('link', { name: /Billing/ })
  expect(entry).toHaveAttribute('aria-disabled', 'true')
  expect(entry).not.toHaveAttribute('href')
  expect(entry).toHaveTextContent('Payments are not allowed for this account.')
})
