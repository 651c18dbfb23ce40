import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { createCredential, listCredentials, revokeCredential, rotateCredential } from '#contract/service-credential'
import { signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

const ONE = {
  id: 'one',
  name: 'AdX',
  kind: 'exchange' as const,
  exchange: 'google',
  created_by: 'owner',
  created_at: '2026-11-01T10:00:00.000Z',
  expires_at: '2099-11-01T10:00:00.000Z',
  revoked_at: null,
  replaced_at: null,
}

function open(role = 'WL_OWNER') {
  const server = signedInServer({ role })
  server.on(listCredentials, () => [ONE, { ...ONE, id: 'old', name: 'Old', revoked_at: '2026-11-02T10:00:00.000Z' }])
  return { server, ...renderRoute('/settings') }
}

describe('the settings of a white-label', () => {
  // covers ROUTE-10
  it('the settings of a white-label are open to its owner, and lead anyone else away', async () => {
    open()
    expect(await screen.findByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
    expect(await screen.findByText('AdX')).toBeVisible()
    expect(screen.getByText('Revoked')).toBeVisible()
  })

  it('the settings of a white-label are not open to advertisers', async () => {
    const { address } = open('USER_OWNER')
    await waitFor(() => expect(address()).toBe('/campaigns'))
  })

  it('the settings of a white-label create a credential for a bidder, whose secret is shown once', async () => {
    const { server } = open()
    const sent: unknown[] = []
    server.on(createCredential, ({ body }) => {
      sent.push(body)
      return { id: 'new', secret: 'placard_svc_secret', expires_at: ONE.expires_at, position: '1' }
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Create credential' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.type(dialog.getByLabelText('Name'), 'Own bidder')
    await userEvent.click(dialog.getByRole('radio', { name: 'A bidder' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Create credential' }))
    expect(await dialog.findByText('placard_svc_secret')).toBeVisible()
    expect(sent[0]).toMatchObject({ name: 'Own bidder', kind: 'bidder', exchange: null })
  })

  it('the settings of a white-label rotate a credential, whose new secret is shown once', async () => {
    const { server } = open()
    const rotated: unknown[] = []
    server.on(rotateCredential, ({ params }) => {
      rotated.push(params)
      const times = { expires_at: ONE.expires_at, replaced_until: '2026-11-02T10:00:00.000Z' }
      return { id: 'new', secret: 'placard_svc_new', ...times, position: '1' }
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Rotate AdX' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: 'Rotate' }))
    expect(await dialog.findByText('placard_svc_new')).toBeVisible()
    expect(rotated).toEqual([{ id: 'one' }])
  })

  it('the settings of a white-label revoke a credential after a question', async () => {
    const { server } = open()
    const revoked: unknown[] = []
    server.on(revokeCredential, ({ params }) => {
      revoked.push(params)
      return { position: '1' }
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Revoke AdX' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Revoke' }))
    await waitFor(() => expect(revoked).toEqual([{ id: 'one' }]))
  })
})
