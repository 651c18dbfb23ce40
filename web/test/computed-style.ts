const original = window.getComputedStyle.bind(window)
const displayOfTag = new Map<string, string>()

/**
 * The computed style where no style sheet is loaded, as in tests: an element's own style, `hidden`, and the defaults of its tag. The
 * environment would resolve all properties of all ancestors for each question, and a query by role asks for every element.
 */
export function computedStyle(element: Element, pseudo?: string | null): CSSStyleDeclaration {
  if (pseudo !== undefined && pseudo !== null && pseudo !== '') return original(element, pseudo)
  const { style } = element as HTMLElement
  const own: Readonly<Record<string, string>> = {
    display: element.hasAttribute('hidden') ? 'none' : style.display || defaultDisplay(element),
    visibility: inherited(element, 'visibility') || 'visible',
    pointerEvents: inherited(element, 'pointerEvents') || 'auto',
    opacity: style.opacity || '1',
  }
  const valueOf = (name: string) => own[name] ?? style.getPropertyValue(name)
  return new Proxy(style, {
    get: (target, name) => {
      if (name === 'getPropertyValue') return valueOf
      return own[String(name)] ?? Reflect.get(target, name)
    },
  })
}

/** The value that the element or its nearest ancestor has. */
function inherited(element: Element, name: 'visibility' | 'pointerEvents'): string {
  for (let one: Element | null = element; one !== null; one = one.parentElement) {
    const value = (one as HTMLElement).style[name]
    if (value !== '') return value
  }
  return ''
}

function defaultDisplay(element: Element): string {
  const known = displayOfTag.get(element.tagName) ?? original(element).display
  displayOfTag.set(element.tagName, known)
  return known
}
