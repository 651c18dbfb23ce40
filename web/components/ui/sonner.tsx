import { Toaster as Sonner, type ToasterProps } from 'sonner'
import { useIsDark } from '@/theme/color-scheme'

/** Draws the messages of `sonner` in the colour scheme of the page. */
function Toaster(props: ToasterProps) {
  const dark = useIsDark()
  return <Sonner theme={dark ? 'dark' : 'light'} className="toaster group" {...props} />
}

export { Toaster }
