import DefaultTheme from 'vitepress/theme'
import './placard.css'

export default DefaultTheme
