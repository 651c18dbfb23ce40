import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { switchAccount } from '#contract/session'
import { acceptInvitation, declineInvitation, listInvitations } from '#contract/team'
import { refusal, signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

const INVITATION = { space_id: 'lagos', account: 'Lagos Radio', by: 'Bola Ade', until: '2026-03-04T10:00:00Z' }

it('shows the account and who asked, accepts, and switches into the account', async () => {
  const server = signedInServer()
  const calls: string[] = []
  server.on(listInvitations, () => ({ invitations: [INVITATION] }))
  server.on(acceptInvitation, ({ params: { id = '' } }) => {
    calls.push(`accept ${id}`)
    return { space_id: id, position: '1' }
  })
  server.on(switchAccount, ({ params: { id = '' } }) => {
    calls.push(`switch ${id}`)
    return { access_token: 'a', refresh_token: 'r', expires_in: 3600, space_id: id }
  })
  renderRoute('/invitations')
  expect(await screen.findByText(/Bola Ade invites you to work for this account/)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Join Lagos Radio' }))
  await waitFor(() => expect(calls).toEqual(['accept lagos', 'switch lagos']))
})

it('says that there are none once an invitation is over', async () => {
  const server = signedInServer()
  let open = [{ ...INVITATION, by: null }]
  server.on(listInvitations, () => ({ invitations: open }))
  server.on(acceptInvitation, () => refusal(131, 404))
  renderRoute('/invitations')
  expect(await screen.findByText(/You are invited to work for this account/)).toBeVisible()
  open = []
  await userEvent.click(screen.getByRole('button', { name: 'Join Lagos Radio' }))
  expect(await screen.findByText('No open invitations')).toBeVisible()
})

it('declines an invitation, which is gone then', async () => {
  const server = signedInServer()
  let open = [INVITATION]
  server.on(listInvitations, () => ({ invitations: open }))
  server.on(declineInvitation, ({ params: { id = '' } }) => {
    open = []
    return { space_id: id, position: '1' }
  })
  renderRoute('/invitations')
  await userEvent.click(await screen.findByRole('button', { name: 'Decline Lagos Radio' }))
  expect(await screen.findByText('You declined the invitation of Lagos Radio')).toBeVisible()
  expect(await screen.findByText('No open invitations')).toBeVisible()
})
