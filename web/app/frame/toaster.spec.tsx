import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { toast } from '@/lib/toast'
import { signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

it('shows messages that were queued before the toaster was mounted', async () => {
  signedInServer()
  renderRoute('/campaigns')
  toast.success('Saved')
  toast.error('Not saved')
  expect(await screen.findByText('Saved', {}, { timeout: 5000 })).toBeInTheDocument()
  expect(screen.getByText('Not saved')).toBeInTheDocument()
  toast.info('And now?')
  expect(await screen.findByText('And now?')).toBeInTheDocument()
})
