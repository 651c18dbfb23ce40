import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { AppError } from '@/data/app-error'
import { LoadError } from './load-error.tsx'

const failed = (status: number, requestId: string | null) =>
  new AppError({ code: status === 500 ? 1 : 130, key: '', message: '', status, requestId })

it('a page that failed to load shows what to tell support, and copies it', async () => {
  const user = userEvent.setup()
  render(<LoadError title="Failed" error={failed(500, '7F3A-9KQ2')} onRetry={() => {}} />)
  expect(screen.getByText('Tell support 7F3A-9KQ2')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Copy the code' }))
  expect(await navigator.clipboard.readText()).toBe('7F3A-9KQ2')
})

it.each([
  { what: 'a refusal', error: failed(404, '7F3A-9KQ2') },
  { what: 'a failure without an id', error: failed(500, null) },
])('$what has nothing to tell support', ({ error }) => {
  render(<LoadError title="Failed" error={error} onRetry={() => {}} />)
  expect(screen.queryByText(/support/)).toBeNull()
})
