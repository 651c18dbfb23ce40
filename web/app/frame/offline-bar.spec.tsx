import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

const connect = (online: boolean) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(online)
  act(() => void window.dispatchEvent(new Event(online ? 'online' : 'offline')))
}
afterEach(() => vi.restoreAllMocks())

it('a bar says that there is no connection, until there is one again, and the page stays', async () => {
  signedInServer()
  renderRoute('/campaigns')
  const title = await screen.findByRole('heading', { level: 1, name: 'Campaigns' })
  expect(screen.queryByText(/^You are offline/)).toBeNull()
  connect(false)
  expect(await screen.findByText(/^You are offline/)).toBeVisible()
  expect(title).toBeVisible()
  connect(true)
  await waitFor(() => expect(screen.queryByText(/^You are offline/)).toBeNull())
})
