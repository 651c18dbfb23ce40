import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { z } from '#contract/zod'
import { getUser } from '#contract/session'
import { closeGuide, readGuide } from '#contract/guide'
import { PERSON, signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

const NEW: z.input<typeof readGuide.output> = {
  closed: false,
  funded: false,
  created: false,
  published: false,
  delivered: false,
  draft_id: null,
}

function open(guide: Partial<typeof NEW> = {}, role = 'USER_OWNER', settings: Partial<typeof PERSON.settings> = {}) {
  const server = signedInServer({ role })
  server.on(readGuide, () => ({ ...NEW, ...guide }))
  server.on(getUser, () => ({ ...PERSON, roles: [role], role_key: role, settings: { ...PERSON.settings, ...settings } }))
  server.on(closeGuide, () => ({ position: '1' }))
  return { server, user: userEvent.setup(), ...renderRoute('/campaigns') }
}
const steps = () => screen.findByRole('region', { name: 'Get your first campaign running' })

describe('the guide of a new account', () => {
  it('names the next step, and starts a campaign', async () => {
    const { user } = open({ funded: true })
    const guide = await steps()
    expect(within(guide).getByText('2 of 5 steps done')).toBeVisible()
    const current = within(guide)
      .getAllByRole('listitem')
      .find((item) => item.getAttribute('aria-current') === 'step')
    expect(current).toHaveTextContent('Create a campaign')
    await user.click(within(guide).getByRole('button', { name: 'Create campaign' }))
    expect(await screen.findByRole('dialog')).toBeVisible()
  })

  it('leads to the refill by card', async () => {
    open()
    const link = within(await steps()).getByRole('link', { name: 'Add funds' })
    expect(link).toHaveAttribute('href', '/payments/history?tab=cards&open=refill')
  })

  it('asks for funds in the chat where the account may not pay', async () => {
    const { user } = open({}, 'USER_OWNER', { allow_make_payment: false })
    await user.click(await within(await steps()).findByRole('button', { name: 'Ask for funds' }))
    expect(await screen.findByRole('textbox', { name: 'Message' })).toHaveValue(
      'Hello! I would like to add funds to my account. How can I do that?',
    )
  })

  it('leads to the campaign that is not published yet', async () => {
    open({ funded: true, created: true, draft_id: 'campaign-7' })
    expect(within(await steps()).getByRole('link', { name: 'Continue' })).toHaveAttribute(
      'href',
      expect.stringContaining('/campaign/edit/campaign-7'),
    )
  })

  it('ends with a published campaign, and goes once it is delivered', async () => {
    open({ funded: true, created: true, published: true })
    expect(await screen.findByRole('region', { name: 'Your first campaign is published' })).toHaveTextContent('4 of 5 steps done')
  })

  it('the guide of a new account is closed for good', async () => {
    const { server, user } = open()
    await user.click(within(await steps()).getByRole('button', { name: 'Hide these steps' }))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Get your first campaign running' })).toBeNull())
    expect(server.calls(closeGuide)).toHaveLength(1)
  })

  it.each([
    ['is closed', { closed: true }, 'USER_OWNER'],
    ['has delivered', { delivered: true }, 'USER_OWNER'],
    ['belongs to staff', {}, 'WL_OWNER'],
  ])('the guide of a new account is not shown where it %s', async (_, guide, role) => {
    open(guide, role)
    await screen.findByText('No campaigns found')
    expect(screen.queryByText('Get your first campaign running')).toBeNull()
  })
})
