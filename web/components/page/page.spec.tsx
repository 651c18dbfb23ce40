import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { Page } from './page.tsx'

describe('a page', () => {
  it('a page has a heading that can take the focus, and titles the document', () => {
    render(<Page title="Fruits">body</Page>)
    const heading = screen.getByRole('heading', { level: 1, name: 'Fruits' })
    expect(heading).toHaveAttribute('data-arrival')
    heading.focus()
    expect(heading).toHaveFocus()
    expect(document.title).toBe('Fruits – Placard')
  })

  it('shows description, actions, tabs and body', () => {
    render(
      <Page title="Fruits" description="3 fruits" actions={<button type="button">Add</button>} tabs={<nav>tabs</nav>}>
        body
      </Page>,
    )
    for (const text of ['3 fruits', 'Add', 'tabs', 'body']) expect(screen.getByText(text)).toBeVisible()
  })

  it('makes the heading the last entry of the breadcrumb', () => {
    render(
      <Page
        title="Report"
        documentTitle="Report: Apple"
        breadcrumb={[
          <a key="fruits" href="#fruits">
            Fruits
          </a>,
          <a key="apple" href="#apple">
            Apple
          </a>,
        ]}
      />,
    )
    const path = within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
    expect(path.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['Fruits', 'Apple', 'Report'])
    expect(path.getByRole('heading', { level: 1 })).toHaveAttribute('aria-current', 'page')
    expect(document.title).toBe('Report: Apple – Placard')
  })

  it('reports a failure in place of its body and tries again', async () => {
    const onRetry = vi.fn()
    render(
      <Page title="Fruits" failed={{ title: 'Fruits could not be loaded', error: new Error('no'), onRetry }}>
        body
      </Page>,
    )
    expect(screen.getByRole('alert')).toHaveTextContent('Fruits could not be loaded')
    expect(screen.queryByText('body')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(onRetry).toHaveBeenCalledOnce()
  })
})
