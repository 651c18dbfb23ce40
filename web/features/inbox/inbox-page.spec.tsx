import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { inbox, readByStaff, readConversation, replyMessage, type InboxRow } from '#contract/chat'
import { pageOf, refusal, signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

const ROW: InboxRow = {
  id: 'person-1',
  name: 'Ada Nile',
  space_id: 'space-1',
  space_name: 'Nile Retail',
  last_text: 'How do I add funds?',
  last_at: '2026-11-02T10:00:00.000Z',
  waiting: true,
  unread: 1,
}
const MESSAGE = { number: 1, text: 'How do I add funds?', at: ROW.last_at, from_staff: false, author: 'Ada Nile' }

function open(rows: InboxRow[] = [ROW], search = '') {
  const server = signedInServer({ role: 'WL_MODERATOR' })
  server.on(inbox, () => pageOf(rows))
  server.on(readConversation, () => ({ messages: [MESSAGE], more: false, unread: 1 }))
  server.on(readByStaff, () => ({ position: '1' }))
  return { server, user: userEvent.setup(), ...renderRoute(`/inbox${search}`) }
}

describe('the inbox', () => {
  it('lists conversations, opens one, marks it as read and answers by Enter', async () => {
    const { server, user } = open()
    server.on(replyMessage, () => ({ ...MESSAGE, number: 2, text: 'By transfer.', from_staff: true, position: '2' }))
    await user.click(await screen.findByRole('link', { name: /Ada Nile/ }))
    const conversation = await screen.findByRole('region', { name: 'Ada Nile' })
    await within(conversation).findByText('How do I add funds?')
    await waitFor(() => expect(server.calls(readByStaff)[0]?.body).toEqual({ number: 1 }))
    const message = within(conversation).getByRole('textbox', { name: 'Message' })
    await user.type(message, 'By transfer.{Shift>}{Enter}{/Shift}Soon.')
    expect(server.calls(replyMessage)).toHaveLength(0)
    await user.keyboard('{Enter}')
    await waitFor(() => expect(server.calls(replyMessage)[0]?.body).toEqual({ text: 'By transfer.\nSoon.' }))
    await waitFor(() => expect(message).toHaveValue(''))
  })

  it('keeps an answer that was not sent, and says why', async () => {
    const { server, user } = open([ROW], '?id=person-1')
    server.on(replyMessage, () => refusal(6, 404))
    const message = await screen.findByRole('textbox', { name: 'Message' })
    await user.type(message, 'Hello{Enter}')
    expect(await screen.findByText('User not found')).toBeVisible()
    expect(message).toHaveValue('Hello')
  })

  it('says that nobody has written yet', async () => {
    open([])
    expect(await screen.findByText('No messages yet')).toBeVisible()
  })

  it('loads earlier messages on request', async () => {
    const { server, user } = open([ROW], '?id=person-1')
    server.on(readConversation, ({ query }) =>
      query.get('before') === null
        ? { messages: [{ ...MESSAGE, number: 51 }], more: true, unread: 0 }
        : { messages: [{ ...MESSAGE, number: 50, text: 'An older question' }], more: false, unread: 0 },
    )
    await user.click(await screen.findByRole('button', { name: 'Show earlier messages' }))
    expect(await screen.findByText('An older question')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Show earlier messages' })).toBeNull()
  })

  it('the inbox is for owners and moderators: an advertiser is led away', async () => {
    signedInServer()
    const { history } = renderRoute('/inbox')
    await waitFor(() => expect(history.location.pathname).toBe('/campaigns'))
  })
})
