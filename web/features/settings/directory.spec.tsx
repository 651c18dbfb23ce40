import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { createScimToken, listScimTokens, withdrawScimToken } from '#contract/scim'
import { listCredentials } from '#contract/service-credential'
import { readSingleSignOn } from '#contract/single-sign-on'
import { signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

const TOKEN = { id: 'one', created_by: 'owner', created_at: '2026-11-01T00:00:00.000Z', last_used_at: null as string | null }

function open({ tokens = [TOKEN], hasDomain = true } = {}) {
  const server = signedInServer({ role: 'WL_OWNER' })
  server.on(listCredentials, () => [])
  server.on(readSingleSignOn, () => ({
    callback_url: 'https://ads.example/v1/oauth/sign-on/callback',
    sign_out_url: 'https://ads.example/auth/login',
    back_channel_url: 'https://ads.example/v1/oauth/sign-on/back-channel',
    house_space_id: 'house',
    providers: [],
    domains: hasDomain
      ? [
          {
            domain: 'acme.example',
            provider_id: 'acme',
            record: 'r',
            verified_at: '2026-11-01T00:00:00.000Z',
            password_allowed: true,
            waits: false,
          },
        ]
      : [],
  }))
  server.on(listScimTokens, () => ({ base_url: 'https://ads.example/scim/v2', tokens }))
  renderRoute('/settings')
  return server
}

describe('the directory in the settings', () => {
  it('shows the address, and a new token once', async () => {
    const server = open({ tokens: [] })
    server.on(createScimToken, () => ({ id: 'new', secret: 'placard_scim_abc', approval_id: null, position: '1' }))
    expect(await screen.findByText('https://ads.example/scim/v2')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Create token' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText('placard_scim_abc')).toBeVisible()
    await userEvent.click(dialog.getByRole('button', { name: 'I have copied it' }))
    await waitFor(() => expect(screen.queryByText('placard_scim_abc')).toBeNull())
    expect(server.calls(createScimToken).map(({ params }) => params)).toEqual([{ id: 'dsp' }])
  })

  it('offers no third token, and withdraws one after a question', async () => {
    const server = open({ tokens: [TOKEN, { ...TOKEN, id: 'two', last_used_at: '2026-11-02T00:00:00.000Z' }] })
    server.on(withdrawScimToken, () => ({ position: '1' }))
    expect(await screen.findByText('Never used')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Create token' })).toBeNull()
    const [, second] = screen.getAllByRole('button', { name: 'Withdraw' })
    if (second === undefined) throw new Error('the second token is missing')
    await userEvent.click(second)
    await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Withdraw' }))
    await waitFor(() =>
      expect(server.calls(withdrawScimToken).map(({ params }) => params)).toEqual([{ id: 'dsp', token: 'two' }]),
    )
  })

  it('the directory in the settings is shown once there is a mail domain', async () => {
    open({ hasDomain: false })
    expect(await screen.findByText('https://ads.example/v1/oauth/sign-on/callback')).toBeVisible()
    expect(screen.queryByText('Directory')).toBeNull()
  })
})
