import { act, render, screen } from '@testing-library/react'
import { useLayoutEffect } from 'react'
import { expect, it } from 'vitest'
import { Later } from './later.tsx'

it('renders its placeholder in the first pass and its children in the next', async () => {
  const commits: string[] = []
  function Page() {
    useLayoutEffect(() => void commits.push(document.body.textContent ?? ''))
    return (
      <>
        <p>at once</p>
        <Later before={<p>to come</p>}>
          <p>later</p>
        </Later>
      </>
    )
  }
  await act(async () => void render(<Page />))
  expect(commits[0]).toBe('at onceto come')
  expect(screen.getByText('later')).toBeVisible()
  expect(screen.queryByText('to come')).toBeNull()
})
