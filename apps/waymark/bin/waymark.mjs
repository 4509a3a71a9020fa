#!/usr/bin/env node
import '../../../dist/apps/waymark/main.js';
