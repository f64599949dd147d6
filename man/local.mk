dist_man_MANS += man/libshunt.7
