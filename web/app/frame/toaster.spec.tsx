import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { toast } from '@/lib/toast'
import { signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

it('shows messages that were queued before the toaster was mounted', async () => {
  signedInServer()
  renderRoute('/campaigns')
  toast.success('Saved')
  toast.error('Not saved')
  expect(await screen.findByText('Saved')).toBeInTheDocument()
  expect(screen.getByText('Not saved')).toBeInTheDocument()
  toast.info('And now?')
  expect(await screen.findByText('And now?')).toBeInTheDocument()
})

// covers ERR-01 ERR-02 ERR-03
it('shows errors as errors and successes in green, for three seconds', async () => {
  signedInServer()
  renderRoute('/campaigns')
  toast.error('Refused')
  toast.success('Stored')
  const [error, success] = [await screen.findByText('Refused'), await screen.findByText('Stored')]
  const start = Date.now()
  expect(error.closest('[data-sonner-toast]')).toHaveAttribute('data-type', 'error')
  const green = success.closest('[data-sonner-toast]')
  expect(green).toHaveAttribute('data-type', 'success')
  expect(green).toHaveAttribute('data-rich-colors', 'true')
  await waitFor(() => expect(screen.queryByText('Stored')).toBeNull())
  expect(Date.now() - start).toBeGreaterThan(2000)
})
