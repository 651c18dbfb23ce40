import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, it, vi } from 'vitest'
import { whitelabelInfo } from '#contract/white-label-info'
import { INFO, signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

describe('the help', () => {
  it('opens with the first page and leads to the others', async () => {
    const user = userEvent.setup()
    signedInServer()
    const { history } = renderRoute('/help')
    expect(await screen.findByRole('heading', { level: 1, name: 'Getting started' })).toBeVisible()
    const pages = screen.getByRole('navigation', { name: 'Help pages' })
    await user.click(within(pages).getByRole('link', { name: 'Statuses' }))
    expect(await screen.findByRole('heading', { level: 2, name: /^Waiting to start/ })).toBeVisible()
    expect(history.location.pathname).toBe('/help/statuses')
  })

  it('links to pages of the application and to the API in a new tab', async () => {
    signedInServer()
    renderRoute('/help/account')
    expect(await screen.findByRole('link', { name: 'Settings', description: '' })).toBeVisible()
    expect(await screen.findByRole('link', { name: /API documentation/ })).toHaveAttribute('target', '_blank')
  })

  it('saves the template of an HTML banner as a zip', async () => {
    signedInServer()
    const saved = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:template')
    renderRoute('/help/html-banners')
    await userEvent.click(await screen.findByRole('button', { name: 'Download the template' }))
    await waitFor(() => expect(saved).toHaveBeenCalledOnce())
    const [file] = saved.mock.calls[0] ?? []
    const files = unzipSync(new Uint8Array(await (file as Blob).arrayBuffer()))
    expect([Object.keys(files), strFromU8(files['index.html'] ?? new Uint8Array())]).toEqual([
      ['index.html'],
      expect.stringContaining('javascript:window.open(window.clickTag)'),
    ])
    saved.mockRestore()
  })

  it.each([
    ['links to all documentation where the installation serves it', true, null, 2],
    ['has no link to documentation that is not served', false, null, 0],
    ['has no link to all documentation where the white-label has its own help', true, 'https://help.nile.example', 0],
  ] as const)('the help: %s', async (_title, documentation, help_url, count) => {
    const server = signedInServer()
    server.on(whitelabelInfo, () => ({
      ...INFO,
      documentation,
      whitelabel_settings: { ...INFO.whitelabel_settings, help_url },
    }))
    renderRoute('/help')
    await screen.findByRole('heading', { level: 1, name: 'Getting started' })
    const help = await screen.findByRole('link', { name: 'Help (opens in a new tab)' })
    const links = () => screen.queryAllByRole('link', { name: 'All documentation (opens in a new tab)' })
    // In the menu, and beside the pages of the help.
    await waitFor(() => expect([help.getAttribute('href'), links().length]).toEqual([help_url ?? '/help', count]))
    for (const link of links()) expect(link).toHaveAttribute('href', '/help/docs/')
  })

  it('finds a section and opens it', async () => {
    const user = userEvent.setup()
    signedInServer()
    const { history } = renderRoute('/help')
    await user.type(await screen.findByRole('searchbox', { name: 'Search the help' }), 'recovery codes')
    expect(await screen.findByText('1 place found')).toBeVisible()
    await user.click(screen.getByRole('link', { name: 'Second factor' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Your account' })).toBeVisible()
    expect(history.location.pathname + history.location.hash).toBe('/help/account#second-factor')
  })

  it('the help has the page for moderators for them alone', async () => {
    signedInServer()
    renderRoute('/help/moderation')
    expect(await screen.findByRole('heading', { level: 1, name: 'Getting started' })).toBeVisible()
    expect(screen.queryByRole('link', { name: 'For moderators' })).toBeNull()
  })

  it('says when it has nothing about the words', async () => {
    signedInServer()
    renderRoute('/help')
    await userEvent.type(await screen.findByRole('searchbox', { name: 'Search the help' }), 'zebra')
    expect(await screen.findByText('Nothing about “zebra”')).toBeVisible()
  })
})
