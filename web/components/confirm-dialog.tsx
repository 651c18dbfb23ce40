import { lazy, Suspense, useEffect, useState } from 'react'
import { whenIdle } from '@/lib/when-idle'
import type { ConfirmDialogProps } from './confirm-dialog-content.tsx'

const load = () => import('./confirm-dialog-content.tsx')
const Content = lazy(async () => ({ default: (await load()).ConfirmDialogContent }))

/** A confirmation dialog. Its content is preloaded when the page is idle, so that it does not delay the page. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const [shown, setShown] = useState(false)
  if (props.open && !shown) setShown(true)
  useEffect(() => whenIdle(() => void load()), [])
  return (
    shown && (
      <Suspense>
        <Content {...props} />
      </Suspense>
    )
  )
}
