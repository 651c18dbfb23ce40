import overview from '../locales/en/overview.json'
import { addEnglish } from '../add-texts.ts'

// Texts about what waits for an owner.
addEnglish({ overview })
