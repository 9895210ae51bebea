// What every page does in the browser. Without scripts it can be read all the same.

import './styles.css';
import { addCopyButtons, makeScrollable } from './code.ts';
import { followReading } from './contents.ts';
import { listenToMenu } from './menu.ts';
import { listenToSearch } from './search.ts';
import { addCalculator } from './sizing.ts';
import { listenToTheme } from './theme.ts';

listenToMenu();
listenToTheme();
listenToSearch();
addCopyButtons();
makeScrollable();
followReading();
addCalculator();
