import './stock-page.css'
import { createRoot } from 'react-dom/client'
import { Alert, AlertDescription, Badge } from './stock-components.tsx'

/** The page that test/e2e/stock-components.spec.ts opens. */
const VARIANTS = ['default', 'secondary', 'destructive', 'outline'] as const

createRoot(document.body.appendChild(document.createElement('main'))).render(
  <>
    {VARIANTS.map((variant) => (
      <Badge key={variant} variant={variant}>
        {variant}
      </Badge>
    ))}
    <Alert>
      <AlertDescription>default alert</AlertDescription>
    </Alert>
    <Alert variant="destructive">
      <AlertDescription>destructive alert</AlertDescription>
    </Alert>
  </>,
)
